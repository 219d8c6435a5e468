# quoted: as one word of the shell.
quoted = '$(subst ','\'',$(1))'

# An empty name of the folder is none, and one that make or a shell would read as something else is refused.
ifeq ($(strip $(value BUILD)),)
override BUILD := build
endif
ifneq ($(value BUILD),build)
ifneq ($(shell printf %s $(call quoted,$(value BUILD)) | LC_ALL=C tr -d 'A-Za-z0-9._/+@,~=\200-\377-'),)
$(error BUILD: expected the name of a folder without blanks and without any of : $$ % # * ? ; & | and their like, found `$(value BUILD)`)
endif
endif

# Words that nothing understands are refused here, before anything is done: goals that are no command, no file below
# $(BUILD) and not the runners, and options that none of the goals takes. Options count where they are typed: what the environment has, or a
# make above this one, may be meant for others.
STRAYS := $(filter-out $(COMMANDS) runners $(BUILD)/%,$(GOALS))
ifeq ($(MAKELEVEL),0)
TYPED  := $(foreach name,$(.VARIABLES),$(if $(findstring command line,$(origin $(name))),$(name)))
# As they were typed: newer makes hand them to each shell, expanded.
$(foreach name,$(filter-out $(BUILD_OPTIONS) WARN CROSS_% MAKE% .SHELLFLAGS SHELL PATH,$(TYPED)),$(eval override $(name) := $$(value $(name))))
TAKEN  := $(sort $(foreach goal,$(GOALS),$(TAKES_$(goal))))
STRAY  := $(firstword $(filter-out $(TAKEN) $(BUILD_OPTIONS) WARN CROSS_% MAKE% .SHELLFLAGS SHELL PATH,$(TYPED)))
endif

say    = $(shell $(1) GOALS=$(call quoted,$(GOALS)) COMMANDS=$(call quoted,$(COMMANDS)) OPTIONS=$(call quoted,$(OPTIONS) $(BUILD_OPTIONS)) \
         awk -f ci/refuse.awk)
ifneq ($(STRAYS),)
$(error $(call say,GOAL=$(call quoted,$(firstword $(STRAYS))) EXERCISES=$(call quoted,$(foreach id,$(EXERCISES),$(call names,$(id))))))
endif
ifneq ($(STRAY),)
$(error $(call say,NAME=$(call quoted,$(STRAY)) VALUE=$(call quoted,$(value $(STRAY))) TAKEN=$(call quoted,$(TAKEN)) \
          BEARERS=$(call quoted,$(strip $(foreach command,$(COMMANDS),$(if $(filter $(STRAY),$(TAKES_$(command))),$(command)))))))
endif
