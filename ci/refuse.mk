# Words that nothing understands are refused here, before anything is done: goals that are no command, no file below
# $(BUILD) and not the runners, and options that none of the goals takes. Options count where they are typed: what the environment has, or a
# make above this one, may be meant for others.
STRAYS := $(filter-out $(COMMANDS) runners $(or $(BUILD),build)/%,$(GOALS))
ifeq ($(MAKELEVEL),0)
TYPED  := $(foreach name,$(.VARIABLES),$(if $(findstring command line,$(origin $(name))),$(name)))
TAKEN  := $(sort $(foreach goal,$(GOALS),$(TAKES_$(goal))))
STRAY  := $(firstword $(filter-out $(TAKEN) $(BUILD_OPTIONS) WARN CROSS_% MAKE% .SHELLFLAGS SHELL PATH,$(TYPED)))
endif

# quoted: as one word of the shell.
quoted = '$(subst ','\'',$(1))'
say    = $(shell $(1) GOALS=$(call quoted,$(GOALS)) COMMANDS=$(call quoted,$(COMMANDS)) OPTIONS=$(call quoted,$(OPTIONS) $(BUILD_OPTIONS)) \
         awk -f ci/refuse.awk)
ifneq ($(STRAYS),)
$(error $(call say,GOAL=$(call quoted,$(firstword $(STRAYS))) EXERCISES=$(call quoted,$(foreach id,$(EXERCISES),$(call names,$(id))))))
endif
ifneq ($(STRAY),)
$(error $(call say,NAME=$(call quoted,$(STRAY)) VALUE=$(call quoted,$(value $(STRAY))) TAKEN=$(call quoted,$(TAKEN)) \
          BEARERS=$(call quoted,$(strip $(foreach command,$(COMMANDS),$(if $(filter $(STRAY),$(TAKES_$(command))),$(command)))))))
endif
