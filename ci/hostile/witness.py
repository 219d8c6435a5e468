"""Runs a check and sees what becomes of it: how long it takes, and which processes it leaves.

    witness.py AREA COMMAND...

AREA/limit says how many seconds are allowed, not counting those in which somebody on this machine had to wait for a
processor (where the kernel tells), nor more of all processors' time; AREA/wants which further reports are asked for (AREA/report.FORMAT). What
is wrong is written to AREA/witness. The exit status is the command's. All descendants, whatever session they are in, come
back to this process when their parents have ended, so none can hide.
"""
import ctypes
import os
import subprocess
import sys
import time

PR_SET_CHILD_SUBREAPER = 36


def children():
    me = os.getpid()
    found = []
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                fields = file.read().rsplit(b")", 1)[1].split()
            if name.isdigit() and int(fields[1]) == me:
                with open(f"/proc/{name}/cmdline", "rb") as file:
                    found.append((int(name), fields[0].decode(), file.read().replace(b"\0", b" ").decode(errors="replace")))
        except (OSError, IndexError):
            pass
    return found


def reap():
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def starved():
    """Seconds so far in which somebody waited for a processor; 0 where the kernel does not tell."""
    try:
        with open("/proc/pressure/cpu") as file:
            return int(file.readline().rsplit("total=", 1)[1]) / 1e6
    except (OSError, IndexError, ValueError):
        return 0.0


def main():
    area, command = sys.argv[1], sys.argv[2:]
    with open(f"{area}/limit") as file:
        limit = float(file.read())
    with open(f"{area}/wants") as file:
        wants = file.read().split()
    at = command.index("--report") + 1
    command[at] = ",".join([command[at]] + [f"{name}:{area}/report.{name}" for name in wants])
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    wrong = []
    began, starved_before = time.monotonic(), starved()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    try:
        status = process.wait(limit + 60)
    except subprocess.TimeoutExpired:
        process.kill()
        status = process.wait()
        wrong.append("it did not end")
    took = time.monotonic() - began
    usage = os.times()
    cpu = usage.children_user + usage.children_system
    undisturbed = took - (starved() - starved_before)
    if undisturbed > limit or cpu > limit * os.cpu_count():
        wrong.append(f"it took {took:.1f} s ({undisturbed:.1f} s undisturbed, {cpu:.1f} s of CPU): expected at most {limit:.0f} s")
    patience = time.monotonic() + 3
    reap()
    while children() and time.monotonic() < patience:
        time.sleep(0.02)
        reap()
    for number, state, text in children():
        wrong.append(f"process {number} is left ({state}): {text}")
        os.kill(number, 9)
    if os.environ.get("TIMES"):
        with open(os.environ["TIMES"], "a") as file:
            with open(f"{area}/name") as name:
                file.write(f"{took:.2f} {cpu:.2f} {name.read()}")
    if wrong:
        with open(f"{area}/witness", "w") as file:
            file.write("\n".join(wrong) + "\n")
    sys.exit(status if status >= 0 else 128 - status)


main()
