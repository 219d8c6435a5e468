#!/bin/sh
# docs/articles.md names each section of the three articles, in their order, and each row leads somewhere.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=ci/tests.sh
. ci/tests.sh

# The articles' tables of contents.
cat >"$scratch/contents" <<'END'
Introduction & Profiling Philosophy
ARM PMU Hardware Counters
Enabling EL0 Access
Reading Counters from C
Linux perf stat & perf record
Pipeline Hazard Classification
Throughput vs Latency
Micro-Benchmarking Methodology
Pattern: Loop Unrolling
Pattern: Prefetching
Pattern: CSEL vs Branch
Pattern: Software Pipelining
Case Study: AWS Graviton3 Profiling
History: PMU Evolution
Hands-On Exercises: 1
Hands-On Exercises: 2
Hands-On Exercises: 3
Perf Profiling Worksheet Tool
Measure First, Optimize Second
RDTSC: High-Resolution Timing in Assembly
Pitfalls with RDTSC
Microbenchmark template
perf stat: Counting Mode
Top-Down Microarchitecture Analysis
perf record/report: Sampling Profiler
perf annotate: Instruction-Level Analysis
Hardware Performance Counters and PMU Events
Port pressure analysis
Loop Unrolling
Loop Fusion
Software Pipelining
LEA vs. IMUL for Small Multiplies
Division by Constant: Reciprocal Multiply
CMOV for Branchless Code
Code Alignment
A Complete Optimization Case Study: Reduction Loop
llvm-mca: Static Pipeline Analysis
Optimization Decision Framework
Summary
Аппаратные проблемы – конвейер CPU
Проблемы ОС – планировщик потоков
Сбор информации о таймере Windows
Формула времени
Математический сопроцессор FPU
Практическая часть
Заключение
END
rows() { sed -n '/^## Concepts/q;s/^| \([^|]*\) | \(.*\) |$/\1/p' docs/articles.md | grep -v '^section$'; }
check 'each section has its row' equal "$(cat "$scratch/contents")" "$(rows)"
# (lint sees to it that links lead to files)
check 'each row says where' equal '' "$(sed -n 's/^| [^|]* | \(.*\) |$/\1/p' docs/articles.md | grep -Ev '^here$|\.md|make |^the exercises')"
# Each concept, tool and figure stands on the page that its row leads to first.
shown() {
    sed -n '/^## Concepts/,$s/^| \([^|]*\) | \(.*\) |$/\1	\2/p' docs/articles.md | grep -Ev '^(what|---)' >"$scratch/concepts"
    [ "$(wc -l <"$scratch/concepts")" -gt 50 ] || return 1
    while IFS='	' read -r what where; do
        page=$(printf '%s\n' "$where" | sed 's/^[^(]*(\([^)#]*\).*/\1/')
        printf '%s\n' "$what" | sed 's/, /\n/g' | while IFS= read -r word; do
            tr -s '\n ' '  ' <"docs/$page" | grep -qiF -e "$word" || echo "$page does not have: $word"
        done
    done <"$scratch/concepts"
}
check 'each concept is where its row leads' equal '' "$(shown)"
check 'each exercise has a place' equal '' \
    "$(for folder in exercises/*/; do grep -q "$folder" docs/articles.md || echo "$folder"; done)"
exit "$tests_failed"
