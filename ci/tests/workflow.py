"""Plays GitHub's runner: reads a workflow with a YAML parser and executes the scripts of its steps as the runner does.

    workflow.py lint FILE
    workflow.py run FILE WORK SUBMISSION SUITE [NAME=VALUE...] [--stop STEP]

`run` gives each job a folder WORK/JOB[-MATRIX] with what came of it: log, summary.md, outputs.json, artifacts. It
prints a line a job: its name and success or failure. NAME=VALUE sets a context's value (vars.X=...); --stop ends the
step of that id as a timeout does. A checkout is a copy: of SUITE where it names another repository, of SUBMISSION
where it does not."""
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import yaml

REPOSITORY = "class/student"
COMMIT = re.compile(r"[\w.-]+/[\w./-]+@[0-9a-f]{40}")


def load(path):
    with open(path, encoding="utf-8") as file:
        workflow = yaml.safe_load(file)
    workflow["on"] = workflow.pop(True)  # what YAML 1.1 makes of `on`
    return workflow


def lint(path):
    workflow = load(path)
    assert workflow["permissions"]["contents"] == "read"
    for name, access in workflow["permissions"].items():
        assert access == "read" or name == "checks", f"permission to write: {name}"
    assert "group" in workflow["concurrency"]
    with open(path, encoding="utf-8") as file:
        assert "secrets." not in file.read(), "a secret, which whoever may push can reach"
    assert set(workflow["on"]) <= {"push", "pull_request", "workflow_dispatch", "repository_dispatch"}
    for name, job in workflow["jobs"].items():
        assert 0 < job["timeout-minutes"] <= 60, f"{name}: no timeout"
        assert "permissions" not in job and not str(job["runs-on"]).endswith("latest")
        for step in job["steps"]:
            assert ("run" in step) != ("uses" in step)
            assert "${{" not in step.get("run", ""), f"{name}: an expression in a script"
            if "uses" in step:
                assert COMMIT.fullmatch(step["uses"]), f"{step['uses']} is not pinned"
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False


def evaluate(text, contexts):
    text = text.strip()
    if "||" in text:
        first, rest = text.split("||", 1)
        return evaluate(first, contexts) or evaluate(rest, contexts)
    if "!=" in text:
        left, right = text.split("!=")
        return evaluate(left, contexts) != evaluate(right, contexts)
    if text.startswith("'"):
        return text[1:-1]
    call = re.fullmatch(r"fromJSON\((.*)\)", text)
    if call:
        return json.loads(evaluate(call.group(1), contexts))
    if text.startswith("hashFiles("):
        return "0123456789abcdef"
    if text == "always()":
        return True
    value = contexts
    for part in text.split("."):
        value = value.get(part, "") if isinstance(value, dict) else ""
    return value


def expand(value, contexts):
    if not isinstance(value, str):
        return str(value).lower() if isinstance(value, bool) else str(value)
    whole = re.fullmatch(r"\$\{\{(.*?)\}\}", value)
    if whole:
        return evaluate(whole.group(1), contexts)
    return re.sub(r"\$\{\{(.*?)\}\}", lambda found: str(evaluate(found.group(1), contexts)), value)


def commands(log):
    """The annotations that the runner would take from a log."""
    found, stopped = [], None
    for line in log.splitlines():
        if stopped:
            if line.strip() == f"::{stopped}::":
                stopped = None
            continue
        match = re.match(r"\s*::([a-z-]+)(?: ([^:]*))?::(.*)", line)
        if match and match.group(1) == "stop-commands":
            stopped = match.group(3)
        elif match:
            found.append(match.group(1))
    assert not stopped, "commands are still stopped at the end"
    return found


class Job:
    def __init__(self, name, job, workflow, contexts, work, places):
        self.job, self.contexts, self.places = job, contexts, places
        self.folder = os.path.join(work, name)
        self.workspace = os.path.join(self.folder, "workspace")
        os.makedirs(self.workspace)
        self.shell = workflow["defaults"]["run"]["shell"]
        assert self.shell == "bash"
        self.steps, self.log, self.summary, self.failed = {}, "", "", False

    def environment(self, step):
        env = {"PATH": os.environ["PATH"], "HOME": self.folder, "CI": "true", "GITHUB_ACTIONS": "true",
               "GITHUB_WORKSPACE": self.workspace}
        for source in (self.job.get("env", {}), step.get("env", {})):
            for key, value in source.items():
                env[key] = str(expand(value, self.contexts))
        return env

    def run(self, step, stop):
        files = {name: tempfile.NamedTemporaryFile("w", delete=False, dir=self.folder).name
                 for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_ENV", "GITHUB_PATH")}
        with tempfile.NamedTemporaryFile("w", suffix=".sh", delete=False, dir=self.folder) as script:
            script.write(step["run"])
        with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as log:
            program = os.path.join(self.workspace, "suite", "build", "cyclelab")
            if stop:  # its check does not end by itself
                os.rename(program, program + ".kept")
                with open(os.open(program, os.O_CREAT | os.O_WRONLY, 0o755), "w", encoding="utf-8") as endless:
                    endless.write("#!/bin/sh\nexec sleep 3600\n")
            process = subprocess.Popen(["bash", "--noprofile", "--norc", "-eo", "pipefail", script.name], cwd=self.workspace,
                                       env={**self.environment(step), **files}, stdin=subprocess.DEVNULL, stdout=log,
                                       stderr=subprocess.STDOUT, start_new_session=True)
            try:
                status = process.wait(timeout=2 if stop else 60 * step.get("timeout-minutes", 30))
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 15)
                status = process.wait()
            if stop:
                os.replace(program + ".kept", program)
            log.seek(0)
            said = log.read()
        self.log += said
        commands(said)  # what is stopped in a step is on again at its end
        with open(files["GITHUB_STEP_SUMMARY"], encoding="utf-8") as file:
            self.summary += file.read()
        outputs = {}
        with open(files["GITHUB_OUTPUT"], encoding="utf-8") as file:
            for line in file.read().splitlines():
                name, value = line.split("=", 1)
                outputs[name] = value
        for name in ("GITHUB_ENV", "GITHUB_PATH"):
            assert os.path.getsize(files[name]) == 0
        for path in [*files.values(), script.name]:
            os.remove(path)
        if "id" in step:
            self.steps[step["id"]] = {"outputs": outputs}
        return status == 0

    def use(self, step):
        name = step["uses"].split("@")[0]
        given = {key: expand(value, self.contexts) for key, value in step.get("with", {}).items()}
        if name == "actions/checkout":
            theirs = given.get("repository", REPOSITORY) == REPOSITORY
            shutil.copytree(self.places[0 if theirs else 1], os.path.join(self.workspace, given["path"]), symlinks=True)
        elif name == "actions/upload-artifact":
            source = os.path.join(self.workspace, given["path"])
            assert not re.search(r'[":<>|*?\r\n\\/]', given["name"]), "a name that the service refuses"
            if os.path.isdir(source):
                shutil.copytree(source, os.path.join(self.folder, "artifacts", given["name"]))
        return True

    def perform(self, stop):
        for step in self.job["steps"]:
            self.contexts["steps"] = self.steps
            if self.failed and "always()" not in str(step.get("if", "")):
                continue
            good = self.run(step, stop and step.get("id") == stop) if "run" in step else self.use(step)
            self.failed |= not good and not step.get("continue-on-error")
        shutil.rmtree(os.path.join(self.workspace, "suite"), ignore_errors=True)
        outputs = {key: expand(value, self.contexts) for key, value in self.job.get("outputs", {}).items()}
        for name, text in (("log", self.log), ("summary.md", self.summary), ("outputs.json", json.dumps(outputs))):
            with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        return outputs


def run(path, work, submission, suite, *rest):
    stop = rest[rest.index("--stop") + 1] if "--stop" in rest else None
    contexts = {"github": {"ref": "refs/heads/main", "repository": REPOSITORY, "actor": "student", "token": "t0ken"},
                "vars": {}, "secrets": {}, "needs": {}}
    for name, value in (item.split("=", 1) for item in rest if "=" in item):
        context, key = name.split(".", 1)
        contexts[context][key] = value
    workflow = load(path)
    for name, job in workflow["jobs"].items():
        if "if" in job and not evaluate(job["if"], contexts):
            print(f"{name}: skipped")
            continue
        matrix = {key: expand(value, contexts) for key, value in job.get("strategy", {}).get("matrix", {}).items()}
        for values in itertools.product(*matrix.values()):
            one = Job("-".join([name, *values]), job, workflow, {**contexts, "matrix": dict(zip(matrix, values))}, work,
                      (submission, suite))
            outputs = one.perform(stop)
            contexts["needs"][name] = {"outputs": outputs}
            print(f"{' '.join([name, *values])}: {'failure' if one.failed else 'success'}")
            print("\n".join(f"  {command}" for command in commands(one.log)), file=sys.stderr)


if __name__ == "__main__":
    {"lint": lint, "run": run}[sys.argv[1]](*sys.argv[2:])
