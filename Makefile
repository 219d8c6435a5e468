# cyclelab. `make help` lists what there is; how it is built stands in ci/build.mk. Commands and their options come from
# grader/commands.c, by way of ci/commands.mk.
MAKEFLAGS += --no-builtin-rules --no-print-directory
.DELETE_ON_ERROR:
.SUFFIXES:
.DEFAULT_GOAL := all
GOALS := $(or $(MAKECMDGOALS),all)
BUILD ?= build
include ci/commands.mk ci/exercises.mk ci/refuse.mk

# The values that a command is given reach it through the environment, as they were typed: make expands nothing in
# them, and the shell sees "$SRC", never its text.
$(foreach name,$(OPTIONS),$(if $(filter undefined,$(origin $(name))),,$(eval override $(name) := $$(value $(name)))))
export $(OPTIONS)
.PHONY: $(COMMANDS)

ifneq ($(filter setup,$(GOALS)),)

# Setup comes first, and the rest in a make of its own: there nothing is looked up before it is installed.
REST := $(filter-out setup,$(GOALS))
ifeq ($(FOR),)
FOR := $(if $(filter $(TEST_COMMANDS),$(REST)),tests)
endif
setup:
	@sh ci/setup.sh
ifneq ($(REST),)
$(firstword $(REST)): setup
	@$(MAKE) $(REST)
$(wordlist 2,$(words $(REST)),$(REST)): $(firstword $(REST)) ; @:
endif

else

include ci/build.mk

# What the program does.
$(PROGRAM_COMMANDS): $(PROGRAM)
	@$(bar_end); exec $(PROGRAM) $@ $(ARGUMENTS_$@)
$(BUILT_COMMANDS): $(CHECKED_CASES) runners

# What stands here or in ci/ itself.
help:
	@cat ci/help.txt

slurm: $(PROGRAM) $(CHECKED_CASES) runners
	@BUILD='$(BUILD)' sh ci/slurm/submit.sh

worksheet: $(PROGRAM)
	@BUILD='$(BUILD)' ci/worksheet.sh

site: all $(BUILD)/site-drive
	@python3 -B ci/site/site.py --build '$(BUILD)' $${OUT:+--out "$$OUT"}

sample-class:
	@sh ci/sample-class.sh "$$OUT"

new:
	@sh ci/new.sh "$$EX"

gradescope: all
	@BUILD='$(BUILD)' sh ci/gradescope/build.sh

prairielearn: all
	@BUILD='$(BUILD)' sh ci/prairielearn/build.sh

autolab: all
	@BUILD='$(BUILD)' sh ci/autolab/build.sh

classroom50: all
	@BUILD='$(BUILD)' sh ci/classroom50/build.sh

all: $(PROGRAM) $(CASES) runners
	@$(bar_end)

test:
	@MAKE='$(MAKE)' BUILD='$(BUILD)' ci/test.sh

unit: $(TESTS) all
	@ci/unit.sh '$(BUILD)'

script: all
	@BUILD='$(BUILD)' MAKE='$(MAKE)' ci/script.sh

coverage:
	@MAKE='$(MAKE)' BUILD='$(BUILD)' ci/coverage.sh

accuracy: $(BUILD)/accuracy-drive
	@python3 -B ci/accuracy/accuracy.py --build '$(BUILD)' --write docs/model.md

hardware: $(BUILD)/hardware-drive $(BUILD)/runner/aarch64/runner.o
	@if [ -n "$$MANIFEST" ]; then set -- "$$MANIFEST" --code "$${CODE:-.}" $${WRITE:+--part 'hardware whole' --opening --write "$$WRITE"}; \
	  else set -- ci/hardware/kernels.yml --part "hardware own" --write docs/model.md; fi; \
	  python3 -B ci/hardware/hardware.py --build '$(BUILD)' "$$@"

figures: all $(BUILD)/hardware-drive $(BUILD)/runner/aarch64/runner.o
	@CC='$(CC)' python3 -B ci/figures/figures.py --build '$(BUILD)' $${ONLY:+--only "$$ONLY"} $${WRITE:+--write}

decode:
	@FULL=1 MAKE='$(MAKE)' BUILD='$(BUILD)' ci/tests/decode.sh

bench: all $(BUILD)/bench-drive $(BUILD)/bench-kernels
	@python3 -B ci/bench/checks.py --build '$(BUILD)'
	@$(BUILD)/bench-drive $(BUILD)/bench-kernels $${RUNS:+"$$RUNS"}

fuzz:
	@MAKE='$(MAKE)' BUILD='$(BUILD)' ci/fuzz/run.sh

trust: $(PROGRAM) $(CASES) runners $(BUILD)/hog $(BUILD)/trust-drive
	@python3 -B ci/trust/trust.py --build '$(BUILD)' $${EX:+--exercise "$$EX"} $${RUNS:+--runs "$$RUNS"} $${BOUNDS:+--bounds "$$BOUNDS"} \
	  $${SEED:+--seed "$$SEED"} $${TWINS:+--twins "$$TWINS"} $${PATIENCE:+--patience "$$PATIENCE"} $${RECORD:+--record "$$RECORD"}

lint:
	@MAKE='$(MAKE)' BUILD='$(BUILD)' TIDY_CFLAGS='$(ALL_CFLAGS)' ci/lint.sh

compile_commands.json:
	@$(MAKE) --always-make --dry-run V=1 BUILD='$(BUILD)' all '$(TESTS)' '$(BUILD)/accuracy-drive' '$(BUILD)/hardware-drive' '$(BUILD)/bench-drive' '$(BUILD)/trust-drive' '$(BUILD)/site-drive' '$(BUILD)/similar-drive' \
	  '$(BUILD)/determinism-drive' '$(BUILD)/vpmu-drive' '$(BUILD)/decode-compare' '$(BUILD)/hog' | python3 -B ci/compile-commands.py >$@

format:
	@ci/lint.sh format

generated: $(BUILD)/commands-drive
	@sh ci/commands/write.sh $<

clean:
	rm -rf '$(BUILD)'

endif
