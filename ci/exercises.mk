# Which exercises there are, and which of them EX names: 3, 03, the slug or the folder; all when it is not given.
EXERCISES := $(notdir $(wildcard exercises/*))
number    = $(firstword $(subst -, ,$(1)))
names     = $(1) $(call number,$(1)) $(patsubst 0%,%,$(call number,$(1))) $(patsubst $(call number,$(1))-%,%,$(1))
named     = $(foreach id,$(EXERCISES),$(if $(filter $(EX),$(call names,$(id))),$(id)))
