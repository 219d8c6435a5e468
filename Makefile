# cyclelab. `make help` lists what there is; how it is built stands in ci/build.mk.
MAKEFLAGS += --no-builtin-rules --no-print-directory
.DELETE_ON_ERROR:
.SUFFIXES:
.DEFAULT_GOAL := all
GOALS := $(or $(MAKECMDGOALS),all)

# The values that a command is given reach it through the environment, as they were typed: make expands nothing in
# them, and the shell sees "$SRC", never its text.
OPTIONS := EX ON CORE SRC SEED REPORT FORCE RUNS BOUNDS CASE VARIANT OUT SUBMISSION SUBMISSIONS JOBS COURSE ISOLATION SLICE SLICES FEATURE TARGET SECONDS
$(foreach name,$(OPTIONS),$(if $(filter undefined,$(origin $(name))),,$(eval override $(name) := $$(value $(name)))))
export $(OPTIONS)

ifneq ($(filter setup,$(GOALS)),)

# Setup comes first, and the rest in a make of its own: there nothing is looked up before it is installed.
REST := $(filter-out setup,$(GOALS))
ifeq ($(origin FOR),undefined)
export FOR := $(if $(filter test unit coverage accuracy decode bench fuzz trust lint format,$(REST)),tests)
endif
.PHONY: $(GOALS)
setup:
	@sh ci/setup.sh
ifneq ($(REST),)
$(firstword $(REST)): setup
	@$(MAKE) $(REST)
$(wordlist 2,$(words $(REST)),$(REST)): $(firstword $(REST)) ; @:
endif

else

include ci/build.mk

# From here to the end: what people type. `##` is what help says, `##@` begins a group.
.PHONY: help setup check watch hint status reset solution debug explain sweep info cores grade slurm sample-class gradescope autolab all test unit coverage accuracy decode bench fuzz trust lint format clean

##@ To begin
help: ## this list
	@awk -f ci/help.awk Makefile

setup: ## install what is needed (Debian, Ubuntu) or say what it is; goes with others: make setup check EX=3, make setup test (FOR=grading: no more than a class's grading needs; FOR=tests: what the tests need too)

##@ For students
check: $(PROGRAM) $(CHECKED_CASES) runners ## EX=3 | build and grade an exercise (3, 03 or its name); all of them without EX
	@$(PROGRAM) check $${EX:+"$$EX"} $${ON:+--on "$$ON"} $${CORE:+--core "$$CORE"} $${SRC:+--src "$$SRC"} \
	  $${SUBMISSION:+--submission "$$SUBMISSION"} $${COURSE:+--course "$$COURSE"} $${SEED:+--seed "$$SEED"} \
	  $${REPORT:+--report "$$REPORT"}

hint: $(PROGRAM) ## EX=3 | the next hint
	@$(PROGRAM) hint $${EX:+"$$EX"}

status: $(PROGRAM) ## how far you are
	@$(PROGRAM) status

reset: $(PROGRAM) ## EX=3 | the stub as it was; your file is kept as a backup
	@$(PROGRAM) reset $${EX:+"$$EX"}

solution: $(PROGRAM) ## EX=3 | the reference solution, once you have passed (or with FORCE=1)
	@$(PROGRAM) solution $${EX:+"$$EX"} $${FORCE:+--force}

watch: $(PROGRAM) $(CHECKED_CASES) runners ## EX=3 | check again at each save (Ctrl-C ends it; check's options)
	@$(PROGRAM) watch $${EX:+"$$EX"} $${ON:+--on "$$ON"} $${CORE:+--core "$$CORE"} $${SRC:+--src "$$SRC"} \
	  $${SEED:+--seed "$$SEED"}

debug: $(PROGRAM) $(CHECKED_CASES) runners ## EX=3 | the AArch64 build under qemu-aarch64, with gdb attached
	@$(PROGRAM) debug $${EX:+"$$EX"} $${SRC:+--src "$$SRC"}

explain: $(PROGRAM) $(CHECKED_CASES) runners ## EX=3 | where the cycles go on a model core, and what bounds the loop (CORE=, SRC=, CASE=name, VARIANT=reference)
	@$(PROGRAM) explain $${EX:+"$$EX"} $${CORE:+--core "$$CORE"} $${SRC:+--src "$$SRC"} $${CASE:+--case "$$CASE"} \
	  $${VARIANT:+--variant "$$VARIANT"} $${SEED:+--seed "$$SEED"}

sweep: $(PROGRAM) $(CHECKED_CASES) runners ## EX=4 | the curve over its parameter, natively or on a model core (CORE=), as text and SVG (OUT=FILE.svg)
	@$(PROGRAM) sweep $${EX:+"$$EX"} $${ON:+--on "$$ON"} $${CORE:+--core "$$CORE"} $${SEED:+--seed "$$SEED"} $${OUT:+--out "$$OUT"}

info: $(PROGRAM) ## this machine: clocks, counters, caches, and what would make its verdicts better
	@$(PROGRAM) info

cores: $(PROGRAM) ## the model cores; CORE=cortex-a55 for all figures of one, with their sources
	@$(PROGRAM) cores $${CORE:+"$$CORE"}

##@ Options of check
#? ON=native           the bench: native is this machine, qemu a model core (AArch64, exact)
#? CORE=cortex-a55     the model core for ON=qemu, if not the one that the exercise names
#? SRC=dir             another folder with files named as the stub's
#? SUBMISSION=dir      what a student handed in, in whatever folder (EX can be several then: EX='3 4')
#? SEED=n              the inputs of an earlier run again
#? REPORT=json:FILE    the result as JSON too (or junit:FILE, tap:FILE, ...: docs/formats.md)
#? V=1                 show the commands that build

##@ For instructors
grade: $(PROGRAM) $(CASES) runners ## SUBMISSIONS=dir OUT=dir | a class: one folder a student, to a gradebook and reports (JOBS=n, COURSE=file; ON=, CORE=, ISOLATION=strict, SLICE=1/8)
	@$(PROGRAM) grade $${SUBMISSIONS:+--submissions "$$SUBMISSIONS"} $${OUT:+--out "$$OUT"} $${JOBS:+--jobs "$$JOBS"} \
	  $${COURSE:+--course "$$COURSE"} $${ON:+--on "$$ON"} $${CORE:+--core "$$CORE"} \
	  $${ISOLATION:+--isolation "$$ISOLATION"} $${SLICE:+--slice "$$SLICE"}

slurm: $(PROGRAM) $(CASES) runners ## SUBMISSIONS=dir OUT=dir | the same on a cluster, as an array of jobs: docs/instructors.md (SLICES=10, JOBS=n CPUs for each; FEATURE=name of the nodes)
	@BUILD='$(BUILD)' sh ci/slurm/submit.sh

sample-class: ## OUT=dir | eight submissions to try grading on
	@sh ci/sample-class.sh "$$OUT"

gradescope: all ## EX=3 | build/gradescope.zip, an autograder to upload (EX='3 4': several; COURSE=file, ON=, CORE=, SEED=)
	@BUILD='$(BUILD)' sh ci/gradescope/build.sh

autolab: all ## EX=3 | build/autolab/, what an Autolab assessment asks for (as gradescope)
	@BUILD='$(BUILD)' sh ci/autolab/build.sh

##@ For those who work on the suite
all: $(PROGRAM) $(CASES) runners ## build everything

test: ## all there is: tests, sanitizers, coverage and lint
	@MAKE='$(MAKE)' BUILD='$(BUILD)' ci/test.sh

unit: $(TESTS) all ## the tests alone
	@ci/unit.sh $(BUILD)

coverage: ## the tests with coverage: 90 % of the lines at least
	@MAKE='$(MAKE)' BUILD='$(BUILD)' ci/coverage.sh

accuracy: $(BUILD)/accuracy-drive ## the core model against published figures and llvm-mca; writes the tables in docs/model.md
	@python3 -B ci/accuracy/accuracy.py --build '$(BUILD)' --write docs/model.md

$(BUILD)/accuracy-drive: ci/accuracy/drive.c $(LIBRARY)
	$(call quiet,LD,$@)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $< $(LIBRARY) $(LDLIBS)

decode: ## the AArch64 decoder against the emulator: the exercises, libc, random words; what is not modelled
	@FULL=1 MAKE='$(MAKE)' BUILD='$(BUILD)' ci/tests/decode.sh

$(BUILD)/decode-compare: ci/decode/compare.c $(addprefix $(BUILD)/harness/emu/tests/,oracle.o describe.o) $(LIBRARY)
	$(call quiet,LD,$@)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(LDLIBS)

bench: $(BUILD)/bench-drive $(BUILD)/bench-kernels ## RUNS=80 | how fast the core model is, beside emulation by itself
	@$(BUILD)/bench-drive $(BUILD)/bench-kernels $${RUNS:+"$$RUNS"}

$(BUILD)/bench-drive: ci/bench/drive.c $(LIBRARY)
	$(call quiet,LD,$@)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $< $(LIBRARY) $(LDLIBS)

$(BUILD)/bench-kernels: ci/bench/kernels.S $(BUILD)/runner/aarch64/runner.o
	$(call quiet,LD,$@)$(CROSS_aarch64)gcc -static -nostdlib -no-pie -o $@ $^

$(BUILD)/determinism-drive: ci/determinism/drive.c $(LIBRARY)
	$(call quiet,LD,$@)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $< -Wl,--whole-archive $(LIBRARY) -Wl,--no-whole-archive $(LDLIBS)

$(BUILD)/vpmu-drive: ci/vpmu/drive.c $(LIBRARY)
	$(call quiet,LD,$@)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $< $(LIBRARY) $(LDLIBS)

fuzz: ## TARGET=course SECONDS=1200 | libFuzzer on what reads files by hand and from students; all of it, a minute each, unless said otherwise (ci/fuzz/run.sh)
	@MAKE='$(MAKE)' BUILD='$(BUILD)' ci/fuzz/run.sh

trust: $(PROGRAM) $(CASES) runners $(BUILD)/hog ## RUNS=10 | is a verdict ever wrong under memory load? (EX=3: of one exercise; BOUNDS=all: of all bounds, not the main ones; RUNS=100 takes two to three hours)
	@python3 -B ci/trust/trust.py --build '$(BUILD)' $${EX:+--exercise "$$EX"} $${RUNS:+--runs "$$RUNS"} $${BOUNDS:+--bounds "$$BOUNDS"} \
	  $${SEED:+--seed "$$SEED"}

$(BUILD)/hog: ci/trust/hog.c harness/rng.h
	@mkdir -p $(@D)
	$(call quiet,LD,$@)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $<

lint: ## formatting, static analysis, and the project's own rules
	@MAKE='$(MAKE)' BUILD='$(BUILD)' TIDY_CFLAGS='$(ALL_CFLAGS)' ci/lint.sh

format: ## clang-format for every C file
	@ci/lint.sh format

clean: ## remove what was built
	rm -rf '$(BUILD)'

endif
