"""Running the grader, with and without load beside it."""
import json
import os
import subprocess
import time

CHECK_LIMIT = 120  # seconds: far beyond what a check may take


class Check:
    """What one run of `cyclelab check` gave. problem is a text where there is no report."""

    def __init__(self, result, seconds, problem=""):
        self.result = result
        self.seconds = seconds
        self.problem = problem

    def bound(self, name):
        if self.result:
            for check in self.result["checks"]:
                if check["name"] == name:
                    return check
        return None

    def broken(self):
        """Why this says nothing about speed at all: not built, wrong results, no report. "" when all is well."""
        if self.problem:
            return self.problem
        for check in self.result["checks"]:
            if check["verdict"] in ("rejected", "error") or \
                    (check["verdict"] == "fail" and check["kind"] in ("build", "correctness")):
                return f"{check['name']}: {check['message']}"
        return ""


class Grader:
    def __init__(self, root, build, scratch):
        self.root = root
        self.program = (build / "cyclelab").resolve()
        self.report = scratch / "report.json"

    def check(self, exercise, source, seed, *more):
        self.report.unlink(missing_ok=True)
        began = time.monotonic()
        child = subprocess.Popen([self.program, "check", exercise, "--root", ".", "--src", source, "--seed", str(seed),
                                  "--report", f"json:{self.report}", *more],
                                 cwd=self.root, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE, text=True, errors="replace",
                                 env=dict(os.environ, NO_COLOR="1"))
        try:
            _, said = child.communicate(timeout=CHECK_LIMIT)
        except subprocess.TimeoutExpired:
            stop(child)
            return Check(None, time.monotonic() - began, f"the check did not end within {CHECK_LIMIT} s")
        except BaseException:
            stop(child)
            raise
        seconds = time.monotonic() - began
        try:
            return Check(json.loads(self.report.read_text())["results"][0], seconds)
        except (OSError, ValueError, LookupError) as error:
            lines = said.strip().splitlines()
            return Check(None, seconds, f"no report, exit status {child.returncode}: {lines[-1] if lines else error}")


def stop(child):
    child.terminate()
    try:
        child.wait(5)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


class Hog:
    """`with Hog(...)`: memory load on one CPU as long as the block lasts."""

    def __init__(self, build, mode, cpu):
        self.command = [(build / "hog").resolve(), mode, str(cpu)]
        self.mode = mode
        self.child = None

    def __enter__(self):
        if self.mode == "idle":
            return self
        self.child = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        try:
            if self.child.stdout.readline() != "ready\n":
                raise OSError(f"the load generator did not start (status {self.child.wait()})")
        except BaseException:
            stop(self.child)
            raise
        return self

    def alive(self):
        if self.child and self.child.poll() is not None:
            raise OSError(f"the load generator ended by itself (status {self.child.returncode})")

    def __exit__(self, *unused):
        if self.child:
            stop(self.child)
            self.child.stdout.close()
