#!/usr/bin/env python3
"""Does the record keep what counts, and nothing else? For ci/tests/trust.sh."""
import json
import lzma
import random
import re
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

import yaml

import spans
from record import Record, Sources, parse
from students import Knobs
from tally import Tally
from twins import correlation

BOUND = {"name": "sum-faster", "verdict": "pass", "metric": "speedup", "measured": 2.5, "low": 2.4, "high": 2.6,
         "bound": 2.25, "reached": 1.11}
CHECK = {"exercise": "04-accumulators", "student": "sum-faster/better", "load": "bursty", "verdict": "pass",
         "judged": "right", "why": "", "seconds": 1.0, "check_seed": 7, "bounds": [BOUND]}


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "deep" / "trust.jsonl"

    def open(self, machine="Core 9, 2 CPUs, Linux 6", commit="abc", sources="f00d", seed=1, earlier=()):
        record = Record(self.path, machine, commit, lambda exercise: f"{exercise} {sources}", seed, earlier)
        self.addCleanup(record.file.close)
        return record


class RecordTest(Case):
    def test_lines_are_there_in_the_next_sitting(self):
        first = self.open()
        first.add("check", **CHECK)
        first.file.close()
        second = self.open(seed=2)
        self.assertEqual([line["seed"] for line in second.of("check", load="bursty")], [1])
        self.assertEqual(second.of("check", load="streaming"), [])
        self.assertEqual(second.notes, [])

    def test_other_sources_do_not_count_and_stay(self):
        record = self.open(sources="beef")
        record.add("check", **CHECK)
        record.file.close()
        record = self.open()
        self.assertEqual(record.lines, [])
        self.assertIn("1 lines of other sources", record.notes[0])
        self.assertEqual(len(self.path.read_text().splitlines()), 1)

    def test_where_a_student_of_other_sources_was_is_known(self):
        student = {"exercise": "04-accumulators", "bound": "sum-faster", "side": "better", "factor": 1.1, "target": "1.10 of 2.25x",
                   "reached": 1.09, "usable": True, "knobs": vars(Knobs(slow=1.25, extra=0.25))}
        for sources, more in (("beef", {}), ("cafe", {"knobs": vars(Knobs(slow=0.5))}), ("cafe", {"usable": False}), ("f00d", {"side": "worse"})):
            record = self.open(sources=sources)
            record.add("student", **{**student, **more})
            record.file.close()
        record = self.open()
        found = record.earlier("04-accumulators", "sum-faster", "better")
        self.assertEqual(Knobs(**found["knobs"]).one(), 0.5)
        self.assertIsNone(record.earlier("04-accumulators", "sum-faster", "worse"))
        record.file.close()
        self.assertIsNone(self.open(machine="Core 8, 2 CPUs, Linux 6").earlier("04-accumulators", "sum-faster", "better"))
        for knobs in (Knobs(slow=1, extra=0.25), Knobs(extra=1.25), Knobs(scale=2.25)):
            self.assertEqual(knobs.one(), 1.25)
        self.assertEqual(Knobs(wait=250).one(), 250)

    def test_other_machines_count_and_are_told_apart(self):
        record = self.open(machine="Core 8, 2 CPUs, Linux 6")
        record.add("check", **CHECK)
        record.file.close()
        record = self.open()
        record.add("check", **CHECK)
        self.assertEqual(len(record.of("check")), 2)
        self.assertEqual(len(record.here("check")), 1)
        self.assertEqual(record.machines(), ["Core 8, 2 CPUs, Linux 6", "Core 9, 2 CPUs, Linux 6"])

    def test_kept_records_count_once_and_are_not_written_to(self):
        record = self.open()
        record.add("check", **CHECK)
        record.file.close()
        kept = self.path.with_name("kept.jsonl.xz")
        kept.write_bytes(lzma.compress(self.path.read_bytes()))
        before = kept.read_bytes()
        record = self.open(earlier=[kept])  # which this one begins with, too
        record.add("check", **{**CHECK, "check_seed": 8})
        self.assertEqual(len(record.of("check")), 2)
        record.file.close()
        self.path.unlink()
        record = self.open(earlier=[kept])
        self.assertEqual(len(record.of("check")), 1)
        record.file.close()
        self.assertEqual(kept.read_bytes(), before)
        kept.write_bytes(before[:40])
        record = self.open(earlier=[kept])
        self.assertEqual((record.lines, len(record.notes)), ([], 1))
        self.assertIn("kept.jsonl.xz does not count", record.notes[0])

    def test_another_commit_with_the_same_sources_counts_and_is_named(self):
        record = self.open(commit="abd")
        record.add("check", **CHECK)
        record.file.close()
        record = self.open()
        self.assertEqual(len(record.of("check")), 1)
        record.add("check", **CHECK)
        self.assertEqual(record.commits(), "commits abc; abd")

    def test_a_torn_line_is_told_and_the_next_one_is_whole(self):
        record = self.open()
        record.add("check", **CHECK)
        record.file.close()
        with open(self.path, "a", encoding="utf-8") as file:
            file.write('{"what": "check", "machi')
        record = self.open()
        self.assertIn("line 2 does not count: it is not whole", record.notes[0])
        record.add("check", **CHECK)
        record.file.close()
        self.assertEqual(len(self.open().of("check")), 2)

    def test_damage_of_any_kind_is_told_by_its_line(self):
        record = self.open()
        whole = record.add("check", **CHECK)
        for number, (key, value) in enumerate((("load", "quiet"), ("judged", None), ("bounds", [1]), ("bounds", [{}]),
                                               ("seconds", "1"), ("what", "chekc"), ("machine", 3), ("seed", True)), 1):
            with self.assertRaises(ValueError, msg=key):
                parse(json.dumps({**whole, key: value}))
            record.file.write(json.dumps({**whole, key: value}).encode() + b"\n")
        record.file.write(b"\xff\xfe\0\n[]\n7\n")
        record.file.close()
        record = self.open()
        self.assertEqual(len(record.of("check")), 1)
        self.assertEqual(len(record.notes), number + 3)

    def test_any_cut_of_the_file_is_read(self):
        record = self.open()
        for _ in range(3):
            record.add("check", **CHECK)
        record.file.close()
        text, dice = self.path.read_bytes(), random.Random(1)
        for _ in range(200):
            cut = bytearray(text[:dice.randrange(len(text))])
            if cut and dice.random() < 0.5:
                cut[dice.randrange(len(cut))] = dice.randrange(256)
            self.path.write_bytes(cut)
            record = self.open()
            self.assertLessEqual(len(record.of("check")), 3)
            record.file.close()

    def test_two_sittings_at_once_are_refused(self):
        self.open()
        with self.assertRaisesRegex(OSError, "another `make trust`"):
            self.open()


class SourcesTest(unittest.TestCase):
    def test_what_a_check_follows_from_is_told_by_exercise(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)

            def write(path, text):
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text)
                sources = Sources(root)
                return sources("04-sum"), sources("05-probe")
            write("grader/check/bench.c", "1")
            begin = write("exercises/04-sum/cases.c", "1")
            self.assertNotEqual(*begin)
            asked = write("exercises/04-sum/exercise.yml", "title: a\nbounds: [{name: b, share: 80, advice: c}]\nhints: [d]\n")
            self.assertNotEqual(asked, begin)
            for text in ("title: e\nbounds: [{name: b, share: 80, advice: f}]\n", "bounds: [{name: b, share: 80}]\nmistakes: [{name: g}]\n"):
                self.assertEqual(write("exercises/04-sum/exercise.yml", text), asked)
            begin = write("exercises/04-sum/exercise.yml", "bounds: [{name: b, share: 81}]\n")
            self.assertNotEqual(begin, asked)
            for path in ("exercises/04-sum/README.md", "grader/check/tests/test_bench.c", "grader/class/grade.c", "docs/a.c",
                         "grader/check/model_bench.c", "grader/check/emulated.h", "exercises/04-sum/tables.yml", "ci/trust/fit.py"):
                self.assertEqual(write(path, "1"), begin, path)
            for path in ("exercises/04-sum/cases.c", "solutions/04-sum/x86_64/sum.S", "ci/trust/mix/04-sum/sum-faster.c"):
                now = write(path, "2")
                self.assertEqual([a == b for a, b in zip(now, begin)], [False, True], path)
                begin = now
            away = write("ci/trust/mix/04-sum/distance.yml", "all: 0.2 # a reason\n")
            self.assertNotEqual(away, begin)
            begin = write("ci/trust/mix/04-sum/distance.yml", "all: 0.2 # another reason\n")
            self.assertEqual(away, begin)
            for path in ("grader/check/bench.c", "harness/runner/target/target.c", "ci/trust/students.py"):
                now = write(path, "2")
                self.assertEqual([a == b for a, b in zip(now, begin)], [False, False], path)
                begin = now


class TallyTest(Case):
    def tally(self, runs, *changes):
        record = self.open()
        for change in changes:
            record.add("check", **{**CHECK, **change})
        options = SimpleNamespace(runs=runs, exercises=["04-accumulators"], loads=["bursty", "streaming"], out=None)
        return Tally(record, options, 30)

    def test_a_wrong_verdict_is_a_complaint_whatever_the_number_of_runs(self):
        tally = self.tally(1, {}, {"judged": "wrong", "why": "pass in all"})
        self.assertEqual(len(tally.complaints()), 1)
        self.assertIn("pass in all (seed 7)", tally.complaints()[0])
        self.assertIn("| 2      | 1     | 0        | 0       | 1     |", tally.text())

    def test_unstable_ones_count_over_the_table_and_in_a_cell(self):
        few = [{}] * 599 + [{"judged": "unstable"}]
        self.assertEqual(self.tally(60, *few).complaints(), [])

    def test_too_many_in_a_cell(self):
        cell = [{"load": "streaming"}] * 55 + [{"load": "streaming", "judged": "unstable"}] * 5
        said = self.tally(60, *([{}] * 940), *cell).complaints()
        self.assertEqual(len(said), 1)
        self.assertIn("unstable: 04-accumulators, sum-faster/better, streaming: 5 of 60", said[0])

    def test_the_reference_passes_58_of_60(self):
        def reference(missed):
            return [{"student": "reference"}] * (60 - missed) + [{"student": "reference", "judged": "unstable"}] * missed
        self.assertEqual(self.tally(60, *reference(2)).complaints(), [])

    def test_the_reference_passes_57_of_60_only(self):
        said = self.tally(60, *([{"student": "reference"}] * 57 + [{"student": "reference", "judged": "unstable"}] * 3))
        self.assertIn("no pass: 04-accumulators, reference, bursty: 3 of 60", said.complaints()[0])


class SpansTest(Case):
    def report(self, patience, *speedups):
        record = self.open()
        for speedup in speedups:
            record.add("speedups", exercise="04-accumulators", load="bursty", patience=30, check_seed=7, seconds=30.0,
                       speedups={"sum-faster": speedup})
        return spans.report(SimpleNamespace(patience=patience, exercises=["04-accumulators"], loads=["bursty"]), record)

    def test_speedups_that_are_near_each_other(self):
        text, complaints = self.report(30, 4.0, 4.04, 4.08)
        self.assertRegex(text, r"\| 3 +\| 4.04x +\| 1.8 % +\| 3 % ")
        self.assertEqual(complaints, [])

    def test_speedups_that_wander(self):
        _, complaints = self.report(30, 4.0, 4.2, 4.1)
        self.assertIn("wanders: 04-accumulators, sum-faster, bursty: 4.4 %, limit 3 %", complaints[0])

    def test_checks_of_another_length_do_not_count(self):
        self.assertEqual(self.report(60, 4.0)[1], ["no speedup"])


class DistanceTest(unittest.TestCase):
    def test_the_documentation_has_each_distance(self):
        root = Path(__file__).resolve().parents[2]
        files = {int(path.parent.name[:2]): set(yaml.safe_load(path.read_text()).values())
                 for path in root.glob("ci/trust/mix/*/distance.yml")}
        told = {}
        for number, values in re.findall(r"^\| (\d+) \| (?:all|both walks|`[^|]*) \| ([\d., ]+) \|", (root / "docs/methodology.md").read_text(), re.M):
            told.setdefault(int(number), set()).update(map(float, values.split(",")))
        self.assertEqual(told, files)


class TwinsTest(unittest.TestCase):
    def test_the_correlation_of_a_process_is_found_whatever_else_happens(self):
        dice = random.Random(4)
        for wanted in (0.0, 0.2, 0.6, -0.3):
            noise, values = 0.0, []
            for _ in range(20000):
                noise = wanted * noise + (1 - wanted ** 2) ** 0.5 * dice.gauss(0, 1)
                values.append(noise + (1000 if dice.random() < 0.01 else 0))
            self.assertAlmostEqual(correlation(values), wanted, delta=0.03)


if __name__ == "__main__":
    unittest.main()
