"""An autograder for Classroom 50: grades what is in the current folder with the suite beside this file, and writes ./result.json.

`make classroom50` makes the folder that this lies in (docs/instructors.md). The contract is that of foundation50/classroom50: whose
result it is comes from the environment; exit status 0 where something could be graded, else what went wrong is the log's.
"""
import datetime
import json
import os
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

IDENTITY = {"classroom": "CLASSROOM", "assignment": "ASSIGNMENT", "submission": "SUBMISSION_TAG", "commit": "COMMIT_URL",
            "release": "RELEASE_URL", "review": "REVIEW_URL"}


def unpacked(folder):
    """The suite, ready to grade."""
    with tarfile.open(Path(__file__).parent / "cyclelab.tar.gz") as archive:
        archive.extractall(folder)  # ours: ci/pack.sh made it
    suite = Path(folder) / "cyclelab"
    make = ["make", "-C", suite]
    subprocess.run([*make, "setup", "FOR=grading"], check=True, stdout=sys.stderr)
    if subprocess.run([suite / "build/cyclelab", "help"], capture_output=True, check=False).returncode != 0:
        subprocess.run(["rm", "-rf", suite / "build"], check=True)
        subprocess.run(make, check=True, stdout=sys.stderr)
    return suite


def check(suite, report):
    """Grade; what is said goes to the log, where a student's text gives the runner no commands."""
    settings = dict(word.split("=", 1) for word in shlex.split((suite / "settings").read_text()))
    command = [suite / "build/cyclelab", "check", *([settings["EX"]] if settings["EX"] else []), "--submission", ".",
               "--on", settings["ON"], "--report", f"classroom50:{report},github:{report}.log"]
    for name, value in ("--core", settings["CORE"]), ("--seed", settings["SEED"]):
        command += [name, value] if value else []
    if (suite / "course.yml").exists():
        command += ["--course", suite / "course.yml"]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    log = Path(f"{report}.log")
    if log.exists():
        print(log.read_text(errors="replace"))
    return json.loads(Path(report).read_text())


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o711)  # student code runs as a user without rights
        result = check(unpacked(folder), f"{folder}/result")
    values = {key: os.environ.get(name, "") for key, name in IDENTITY.items()}
    values["review"] = values["review"] or values["commit"]
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    # the student's folder may have anything of that name: it is replaced, never followed
    with tempfile.NamedTemporaryFile("w", dir=".", delete=False) as file:
        json.dump({**result, **values, "datetime": now}, file, indent=2)
    os.chmod(file.name, 0o644)
    if os.path.isdir("result.json") and not os.path.islink("result.json"):
        shutil.rmtree("result.json")
    os.replace(file.name, "result.json")


if __name__ == "__main__":
    main()
