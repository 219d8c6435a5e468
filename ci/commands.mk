# Commands and options, as the Makefile needs them. Written by `make generated` from grader/commands.c
# and grader/options.c.
COMMANDS := help setup begin check hint status reset solution watch predict run perf debug explain trace sweep drill worksheet site info cores grade course forget slurm sample-class gradescope prairielearn autolab classroom50 new all test unit script coverage accuracy hardware figures decode bench fuzz trust lint format compile_commands.json generated clean
PROGRAM_COMMANDS := begin check hint status reset solution watch predict run perf debug explain trace sweep drill info cores grade course forget
BUILT_COMMANDS := check watch run perf debug explain trace sweep grade course
TEST_COMMANDS := site test unit script coverage accuracy hardware figures decode bench fuzz trust lint format
OPTIONS := EX CORE ON SRC WORK SUBMISSION COURSE QUESTIONS SHEET SEED PATIENCE REPORT FORCE CASE VARIANT SECONDS OUT N SUBMISSIONS JOBS ISOLATION SLICE DRY_RUN STUDENT SLICES FEATURE FOR RUNS BOUNDS RECORD TWINS TARGET MANIFEST CODE WRITE LINT_WORK TEST ONLY
BUILD_OPTIONS := V BUILD CC CFLAGS LDFLAGS SANITIZE

# What each takes, and how the shell hands it on to the program.
TAKES_help :=
TAKES_setup := FOR
TAKES_begin := EX WORK
ARGUMENTS_begin = $${EX:+"$$EX"} $${WORK:+--work "$$WORK"}
TAKES_check := EX ON CORE SRC WORK SUBMISSION COURSE SEED PATIENCE REPORT
ARGUMENTS_check = $${EX:+"$$EX"} $${ON:+--on "$$ON"} $${CORE:+--core "$$CORE"} $${SRC:+--src "$$SRC"} $${WORK:+--work "$$WORK"} $${SUBMISSION:+--submission "$$SUBMISSION"} $${COURSE:+--course "$$COURSE"} $${SEED:+--seed "$$SEED"} $${PATIENCE:+--patience "$$PATIENCE"} $${REPORT:+--report "$$REPORT"}
TAKES_hint := EX WORK
ARGUMENTS_hint = $${EX:+"$$EX"} $${WORK:+--work "$$WORK"}
TAKES_status := WORK
ARGUMENTS_status = $${WORK:+--work "$$WORK"}
TAKES_reset := EX WORK
ARGUMENTS_reset = $${EX:+"$$EX"} $${WORK:+--work "$$WORK"}
TAKES_solution := EX WORK FORCE
ARGUMENTS_solution = $${EX:+"$$EX"} $${WORK:+--work "$$WORK"} $${FORCE:+--force="$$FORCE"}
TAKES_watch := EX ON CORE SRC WORK SEED PATIENCE REPORT
ARGUMENTS_watch = $${EX:+"$$EX"} $${ON:+--on "$$ON"} $${CORE:+--core "$$CORE"} $${SRC:+--src "$$SRC"} $${WORK:+--work "$$WORK"} $${SEED:+--seed "$$SEED"} $${PATIENCE:+--patience "$$PATIENCE"} $${REPORT:+--report "$$REPORT"}
TAKES_predict := EX WORK
ARGUMENTS_predict = $${EX:+"$$EX"} $${WORK:+--work "$$WORK"}
TAKES_run := EX SRC WORK CASE VARIANT SECONDS
ARGUMENTS_run = $${EX:+"$$EX"} $${SRC:+--src "$$SRC"} $${WORK:+--work "$$WORK"} $${CASE:+--case "$$CASE"} $${VARIANT:+--variant "$$VARIANT"} $${SECONDS:+--seconds "$$SECONDS"}
TAKES_perf := EX SRC WORK CASE VARIANT SECONDS
ARGUMENTS_perf = $${EX:+"$$EX"} $${SRC:+--src "$$SRC"} $${WORK:+--work "$$WORK"} $${CASE:+--case "$$CASE"} $${VARIANT:+--variant "$$VARIANT"} $${SECONDS:+--seconds "$$SECONDS"}
TAKES_debug := EX ON SRC WORK
ARGUMENTS_debug = $${EX:+"$$EX"} $${ON:+--on "$$ON"} $${SRC:+--src "$$SRC"} $${WORK:+--work "$$WORK"}
TAKES_explain := EX CORE SRC WORK CASE VARIANT SEED
ARGUMENTS_explain = $${EX:+"$$EX"} $${CORE:+--core "$$CORE"} $${SRC:+--src "$$SRC"} $${WORK:+--work "$$WORK"} $${CASE:+--case "$$CASE"} $${VARIANT:+--variant "$$VARIANT"} $${SEED:+--seed "$$SEED"}
TAKES_trace := EX CORE SRC WORK CASE VARIANT SEED N OUT
ARGUMENTS_trace = $${EX:+"$$EX"} $${CORE:+--core "$$CORE"} $${SRC:+--src "$$SRC"} $${WORK:+--work "$$WORK"} $${CASE:+--case "$$CASE"} $${VARIANT:+--variant "$$VARIANT"} $${SEED:+--seed "$$SEED"} $${N:+--count "$$N"} $${OUT:+--out "$$OUT"}
TAKES_sweep := EX ON CORE SEED OUT
ARGUMENTS_sweep = $${EX:+"$$EX"} $${ON:+--on "$$ON"} $${CORE:+--core "$$CORE"} $${SEED:+--seed "$$SEED"} $${OUT:+--out "$$OUT"}
TAKES_drill := CORE WORK SEED QUESTIONS SHEET
ARGUMENTS_drill = $${CORE:+--core "$$CORE"} $${WORK:+--work "$$WORK"} $${SEED:+--seed "$$SEED"} $${QUESTIONS:+--questions "$$QUESTIONS"} $${SHEET:+--sheet="$$SHEET"}
TAKES_worksheet := OUT WORK
TAKES_site := OUT
TAKES_info :=
ARGUMENTS_info =
TAKES_cores := CORE
ARGUMENTS_cores = $${CORE:+"$$CORE"}
TAKES_grade := EX SUBMISSIONS OUT COURSE ON CORE JOBS ISOLATION SLICE DRY_RUN
ARGUMENTS_grade = $${EX:+"$$EX"} $${SUBMISSIONS:+--submissions "$$SUBMISSIONS"} $${OUT:+--out "$$OUT"} $${COURSE:+--course "$$COURSE"} $${ON:+--on "$$ON"} $${CORE:+--core "$$CORE"} $${JOBS:+--jobs "$$JOBS"} $${ISOLATION:+--isolation "$$ISOLATION"} $${SLICE:+--slice "$$SLICE"} $${DRY_RUN:+--dry-run="$$DRY_RUN"}
TAKES_course := COURSE EX ON CORE JOBS ISOLATION
ARGUMENTS_course = $${COURSE:+--course "$$COURSE"} $${EX:+"$$EX"} $${ON:+--on "$$ON"} $${CORE:+--core "$$CORE"} $${JOBS:+--jobs "$$JOBS"} $${ISOLATION:+--isolation "$$ISOLATION"}
TAKES_forget := OUT STUDENT
ARGUMENTS_forget = $${OUT:+--out "$$OUT"} $${STUDENT:+--student "$$STUDENT"}
TAKES_slurm := EX SUBMISSIONS OUT COURSE ON CORE JOBS ISOLATION SLICES FEATURE
TAKES_sample-class := OUT
TAKES_gradescope := EX COURSE ON CORE SEED
TAKES_prairielearn := EX COURSE ON CORE SEED
TAKES_autolab := EX COURSE ON CORE SEED
TAKES_classroom50 := EX COURSE ON CORE SEED
TAKES_new := EX
TAKES_all :=
TAKES_test :=
TAKES_unit := TEST
TAKES_script := TEST ONLY
TAKES_coverage :=
TAKES_accuracy :=
TAKES_hardware := MANIFEST CODE WRITE
TAKES_figures := ONLY WRITE
TAKES_decode :=
TAKES_bench := RUNS
TAKES_fuzz := TARGET SECONDS
TAKES_trust := EX RUNS BOUNDS TWINS PATIENCE RECORD SEED
TAKES_lint := LINT_WORK
TAKES_format :=
TAKES_compile_commands.json :=
TAKES_generated :=
TAKES_clean :=
