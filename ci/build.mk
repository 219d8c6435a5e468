# How cyclelab is built: the library, the program, each exercise's cases, the runners, the tests.
ifeq ($(origin CC),default)
CC := gcc
endif
CFLAGS ?= -O2 -g
WARN   := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes
LIBS   := yaml-0.1 libcjson hwloc libelf libdw unicorn libseccomp libarchive nettle
HOST_ISA := $(shell uname -m)
CROSS_aarch64 := aarch64-linux-gnu-
CROSS_x86_64  := x86_64-linux-gnu-
CROSS_$(HOST_ISA) :=

# One line for who has not run setup, where there is something to compile.
ifneq ($(filter-out help format clean,$(GOALS)),)
MISSING := $(strip $(shell for tool in $(CC) pkg-config; do command -v $$tool >/dev/null || echo $$tool; done; \
             for library in $(LIBS); do pkg-config --exists $$library 2>/dev/null || echo $$library; done))
ifneq ($(MISSING),)
$(error not found: $(MISSING). Run `make setup` first)
endif
ifneq ($(filter figures,$(GOALS)),)
$(if $(shell python3 -c 'import yaml; print(1)' 2>/dev/null),,$(error not found: python3 with yaml. Run `make setup FOR=tests` first))
endif
PKG_CFLAGS := $(shell pkg-config --cflags $(LIBS))
LDLIBS     := $(shell pkg-config --libs $(LIBS)) -ldl -lm
endif

# A folder that cannot be written does where the program is there already.
ifeq ($(shell mkdir -p '$(BUILD)' 2>/dev/null; [ -w '$(BUILD)' ] || [ -x '$(BUILD)/cyclelab' ] || echo no),no)
$(error $(BUILD)/ cannot be written, and what is built goes there: say BUILD=dir, and WORK=dir for your own files, with folders of yours)
endif

ALL_CFLAGS  = -std=c17 -D_GNU_SOURCE -I. $(WARN) $(PKG_CFLAGS) $(CFLAGS) $(SANITIZE)
ALL_LDFLAGS = $(LDFLAGS) $(SANITIZE) -rdynamic -Wl,--build-id=sha1

# Two makes may build in one folder at once: what is made is written beside its place and renamed, so that the other one
# never reads a part. Each line of a recipe is a shell with a number of its own.
# (-MT with the variable's name: what a file depends on holds however $(BUILD) is written.)
beside   = $@.$$$$
put      = mv -f $(beside) $@ || { rm -f $(beside) $(beside).d; false; }
depend   = -MMD -MP -MF $(beside).d -MT '$$(BUILD)/$(patsubst $(BUILD)/%,%,$@)'
put_both = mv -f $(beside).d $(basename $@).d && $(put)

# One line for all of it, a bar at a terminal (ci/bar.sh). V=0 shows each file instead, V=1 the commands.
bar_end = :
ifeq ($(V),0)
quiet   = @printf '  %-4s %s\n' '$(1)' '$(2)';
else ifeq ($(V),)
BAR    := $(BUILD)/made/bar
quiet   = @TOTAL=$(TOTAL) BAR='$(BAR)' sh ci/bar.sh '$(1)' '$(2)';
bar_end = if [ -e '$(BAR)' ]; then rm -f '$(BAR)' '$(BAR).told'; [ ! -t 1 ] || printf '\033[K'; fi
endif

# A single goal's files are built in parallel, unless the command line says otherwise; several goals one by one.
ifeq ($(words $(GOALS)) $(MAKELEVEL) $(filter -j%,$(MAKEFLAGS)),1 0 )
MAKEFLAGS += -j$(or $(shell nproc),1)
endif

PROGRAM := $(BUILD)/cyclelab
LIBRARY := $(BUILD)/libcyclelab.a
TESTS   := $(BUILD)/tests

# The library: all of harness/ and grader/ but main, the tests, and the runner's target side. A file for this ISA
# (harness/clock/x86_64/x.c) takes the place of its generic twin (harness/clock/x.c).
ISA_SRC := $(wildcard harness/*/$(HOST_ISA)/*.[cS] grader/*/$(HOST_ISA)/*.[cS])
ANY_SRC := $(filter-out grader/tests/%,$(wildcard harness/*/*.c grader/*.c grader/*/*.c))
LIB_SRC := $(ISA_SRC) $(filter-out grader/main.c \
             $(addsuffix .c,$(basename $(subst /$(HOST_ISA)/,/,$(ISA_SRC)))),$(ANY_SRC))
LIB_OBJ := $(patsubst %,$(BUILD)/%.o,$(basename $(LIB_SRC)))

# Tests stand beside what they test; a target_*.c among them is code that a test has its runner execute.
TEST_SRC := $(foreach folder,harness/* grader grader/* exercises/*,$(wildcard $(folder)/tests/*.c))
TEST_SRC := $(foreach file,$(TEST_SRC),$(if $(filter target_%,$(notdir $(file))),,$(file)))
TEST_OBJ := $(TEST_SRC:%.c=$(BUILD)/%.o)

CASES         := $(patsubst %/cases.c,$(BUILD)/%/cases.so,$(wildcard exercises/*/cases.c))
# Those of EX alone; watch has keys that go to other exercises.
ONE_EXERCISE  := $(if $(filter watch,$(GOALS)),,$(EX))
CHECKED_CASES := $(filter $(patsubst %,$(BUILD)/exercises/%/cases.so,$(if $(ONE_EXERCISE),$(named),$(EXERCISES))),$(CASES))

# The runner's target side: no C library, no writable data, one object an ISA that has a compiler here.
TARGET_CFLAGS := -std=c17 -O2 -g -I. $(WARN) -ffreestanding -fno-pie -fno-stack-protector \
                 -fno-asynchronous-unwind-tables -fno-unwind-tables -fno-builtin
RUNNER_CFLAGS_x86_64  := $(TARGET_CFLAGS) -fcf-protection=none
RUNNER_CFLAGS_aarch64 := $(TARGET_CFLAGS)
RUNNER_HEADERS := harness/arena/plan.h harness/walls/lent.h harness/runner/glue.h $(wildcard harness/runner/target/*.h)
RUNNER_ISAS := $(foreach isa,x86_64 aarch64,$(if $(shell command -v $(CROSS_$(isa))gcc),$(isa)))
# memory.c first: where it lies student code calls it.
$(foreach isa,$(RUNNER_ISAS),$(eval RUNNER_SRC_$(isa) := harness/runner/target/memory.c \
  $(filter-out %/memory.c,$(wildcard harness/runner/target/*.c harness/runner/target/$(isa)/*.[cS]))))
$(foreach isa,$(RUNNER_ISAS),$(eval REPLAY_SRC_$(isa) := $(wildcard harness/runner/replay/*.c harness/runner/target/memory.c harness/runner/target/$(isa)/start.S)))
RUNNERS := $(RUNNER_ISAS:%=$(BUILD)/runner/%/runner.o)
REPLAYS := $(RUNNER_ISAS:%=$(BUILD)/runner/%/replay.o)

# What is made follows from commands and lists of sources too, not only from what is in the sources. Each such text is
# kept in a file below $(BUILD)/made, written anew only when it has changed: what depends on the file is made again then.
MADE_flags   = $(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) $(LDLIBS)
MADE_library = $(LIB_SRC)
MADE_tests   = $(TEST_SRC)
$(foreach isa,$(RUNNER_ISAS),$(eval MADE_runner-$(isa) = $$(CROSS_$(isa))gcc $$(RUNNER_CFLAGS_$(isa)) $$(RUNNER_SRC_$(isa)) $$(REPLAY_SRC_$(isa))))
MADE := flags library tests $(RUNNER_ISAS:%=runner-%)

same      = $(and $(findstring $(1),$(2)),$(findstring $(2),$(1)))
made_text = $(strip $(notdir $(1)): $(MADE_$(notdir $(1))))
is_made   = $(call same,$(call made_text,$(1)),$(file <$(1)))
.PHONY: changed
$(foreach name,$(MADE),$(eval $(BUILD)/made/$(name): $(if $(call is_made,$(BUILD)/made/$(name)),,changed)))
$(MADE:%=$(BUILD)/made/%):
	$(if $(call is_made,$@),,$(shell mkdir -p $(@D))$(file >$@,$(call made_text,$@)))

$(PROGRAM): $(BUILD)/grader/main.o $(LIBRARY)
	$(call quiet,LD,$@)$(CC) $(ALL_LDFLAGS) -o $(beside) $< -Wl,--whole-archive $(LIBRARY) -Wl,--no-whole-archive $(LDLIBS) && $(put)

# Which version this is, beside the program: a commit changes this note and builds nothing anew.
$(PROGRAM): | $(BUILD)/version
.PHONY: version-now
version-now:
$(BUILD)/version: version-now
	@mkdir -p $(@D) && sh ci/version.sh $@

$(LIBRARY): $(LIB_OBJ) $(BUILD)/made/library
	$(call quiet,AR,$@)ar rcs $(beside) $(LIB_OBJ) && $(put)

$(BUILD)/%.o: %.c $(BUILD)/made/flags
	@mkdir -p $(@D)
	$(call quiet,CC,$<)$(CC) $(ALL_CFLAGS) -fPIC $(depend) -c -o $(beside) $< && $(put_both)

$(BUILD)/%.o: %.S $(BUILD)/made/flags
	@mkdir -p $(@D)
	$(call quiet,AS,$<)$(CC) $(ALL_CFLAGS) $(depend) -c -o $(beside) $< && $(put_both)

# Where all exercises may be checked, a broken cases.c is that exercise's trouble alone: the check says that its cases
# are missing, and goes on.
$(BUILD)/exercises/%/cases.so: exercises/%/cases.c $(BUILD)/made/flags
	@mkdir -p $(@D)
	$(call quiet,CC,$<)$(CC) $(ALL_CFLAGS) -fPIC -shared $(depend) -o $(beside) $< -lm && $(put_both) \
	  $(if $(filter check watch,$(GOALS)),$(if $(ONE_EXERCISE),,|| rm -f $@))

.PHONY: runners
runners: $(RUNNERS) $(REPLAYS)
.SECONDEXPANSION:
$(RUNNERS): $(BUILD)/runner/%/runner.o: $$(RUNNER_SRC_$$*) $(RUNNER_HEADERS) harness/runner/target/room.ld $(BUILD)/made/runner-%
	@mkdir -p $(@D)
	$(call quiet,CC,runner for $*)$(CROSS_$*)gcc $(RUNNER_CFLAGS_$*) -r -nostdlib -T harness/runner/target/room.ld -o $(beside) $(RUNNER_SRC_$*) && $(put)

$(REPLAYS): $(BUILD)/runner/%/replay.o: $$(REPLAY_SRC_$$*) $(RUNNER_HEADERS) $(BUILD)/made/runner-%
	@mkdir -p $(@D)
	$(call quiet,CC,replay program for $*)$(CROSS_$*)gcc $(RUNNER_CFLAGS_$*) -r -nostdlib -o $(beside) $(REPLAY_SRC_$*) && $(put)

# What a command needs built and is missing, for the bar; and a bar that an earlier make left begins again.
WANTED := $(LIB_OBJ) $(BUILD)/grader/main.o $(LIBRARY) $(PROGRAM) \
          $(if $(filter $(BUILT_COMMANDS),$(GOALS)),$(CHECKED_CASES) $(RUNNERS) $(REPLAYS)) \
          $(if $(filter-out $(PROGRAM_COMMANDS),$(GOALS)),$(CASES) $(RUNNERS) $(REPLAYS)) \
          $(if $(filter unit $(TESTS),$(GOALS)),$(TEST_OBJ) $(TESTS))
TOTAL  := $(words $(sort $(filter-out $(wildcard $(WANTED)),$(WANTED))))
$(if $(wildcard $(BAR)),$(file >$(BAR))$(shell rm -f '$(BAR).told'))

# The tests, in one program with the library.
CRITERION = $(or $(shell pkg-config --libs criterion 2>/dev/null),$(error not found: criterion. Run `make setup FOR=tests` first))
$(TESTS): $(TEST_OBJ) $(LIBRARY) $(BUILD)/made/tests
	$(call quiet,LD,$@)$(CC) $(ALL_LDFLAGS) -o $(beside) $(TEST_OBJ) -Wl,--whole-archive $(LIBRARY) \
	  -Wl,--no-whole-archive $(LDLIBS) $(CRITERION) && $(put)

# Programs beside the library: ci/NAME/drive.c is the one of ci/NAME.
$(BUILD)/vpmu-drive: ci/vpmu/names.h $(wildcard ci/vpmu/*.inc)
$(BUILD)/%-drive: ci/%/drive.c $(LIBRARY)
	$(call quiet,LD,$@)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $(beside) $< -Wl,--whole-archive $(LIBRARY) \
	  -Wl,--no-whole-archive $(LDLIBS) && $(put)

$(BUILD)/decode-compare: ci/decode/compare.c $(addprefix $(BUILD)/harness/emu/tests/,oracle.o describe.o) $(LIBRARY)
	$(call quiet,LD,$@)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $(beside) $^ $(LDLIBS) && $(put)

$(BUILD)/bench-kernels: ci/bench/kernels.S $(BUILD)/runner/aarch64/runner.o
	$(call quiet,LD,$@)$(CROSS_aarch64)gcc -static -nostdlib -no-pie -o $(beside) $^ && $(put)

$(BUILD)/hog: ci/trust/hog.c harness/base/rng.h
	@mkdir -p $(@D)
	$(call quiet,LD,$@)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $(beside) $< && $(put)

# The fuzzing harnesses (ci/fuzz/run.sh builds them, in a folder of their own). lines.c is for inputs that are text.
FUZZ_TEXT := exercise course core submission
$(BUILD)/fuzz-%: ci/fuzz/%.c ci/fuzz/fuzz.c ci/fuzz/lines.c ci/fuzz/fuzz.h $(LIBRARY)
	$(call quiet,LD,$@)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -fsanitize=fuzzer -o $(beside) $< ci/fuzz/fuzz.c \
	  $(if $(filter $*,$(FUZZ_TEXT)),ci/fuzz/lines.c) -Wl,--whole-archive $(LIBRARY) -Wl,--no-whole-archive $(LDLIBS) \
	  && $(put)

-include $(LIB_OBJ:.o=.d) $(TEST_OBJ:.o=.d) $(BUILD)/grader/main.d $(CASES:.so=.d)
