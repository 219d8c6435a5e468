#!/usr/bin/env python3
"""drive.py PROGRAM ROOT SCRATCH TEST: use `cyclelab watch` as somebody at a terminal does."""
import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import sys
import termios
import time

program, root, scratch, wanted = sys.argv[1:5]
PATIENCE = 30  # of a check on a machine with much else to do
BUSY = float(os.environ.get("WATCH_SLACK", "1"))  # seconds more that a reaction may take on such a machine
CLAMP = "03-branch-elimination/clamp.c"
GOOD = open(f"{root}/solutions/{CLAMP}", encoding="utf-8").read()


class Watch:
    """One at work, in a terminal of its own."""

    def __init__(self, *words, rows=24, columns=80, **environment):
        self.work = os.path.join(scratch, "work")
        self.seen, self.status = "", None
        self.master, self.slave = pty.openpty()
        self.size(rows, columns)
        self.before = termios.tcgetattr(self.slave)
        self.child = os.fork()
        if self.child == 0:
            os.setsid()
            fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)
            for fd in 0, 1, 2:
                os.dup2(self.slave, fd)
            for number in signal.SIGINT, signal.SIGQUIT, signal.SIGTERM:
                signal.signal(number, signal.SIG_DFL)
            settings = {**os.environ, "TERM": "xterm", **environment}
            os.execve(program, [program, "watch", *words, "--root", root, "--work", self.work], settings)

    def started(self):
        while b"watch" not in open(f"/proc/{self.child}/cmdline", "rb").read().split(b"\0"):
            time.sleep(0.001)

    def size(self, rows, columns):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def take(self, seconds):
        if not select.select([self.master], [], [], seconds)[0]:
            return
        try:
            self.seen += os.read(self.master, 65536).decode(errors="replace")
        except OSError:
            pass

    def wait(self, *parts, seconds=PATIENCE):
        """Until all parts stand on the last screen that was drawn. How long that took."""
        began = time.monotonic()
        while time.monotonic() - began < seconds:
            screen = " ".join(self.screen().split())  # lines may be broken anywhere
            if all(part in screen for part in parts):
                return time.monotonic() - began
            self.take(0.02)
        raise AssertionError(f"expected {parts} on the screen, found:\n{self.screen()}")

    def screen(self):
        last = self.seen.rsplit("\033[H", 1)[-1]
        return re.sub(r"\033\[[0-9;?]*[A-Za-z]", "", last).replace("\r", "")

    def press(self, keys):
        os.write(self.master, keys.encode())

    def save(self, text, name=CLAMP, rename=False):
        path = os.path.join(self.work, name)
        to = path + ".new~" if rename else path
        with open(to, "w", encoding="utf-8") as file:
            file.write(text)
        if rename:
            os.rename(to, path)

    def reacts(self):
        """A check begins soon."""
        assert self.wait("check runs", seconds=5) < 0.3 + BUSY

    def end(self, status=None, number=None):
        began = time.monotonic()
        while time.monotonic() - began < 10:
            self.take(0.02)
            done, status_found = os.waitpid(self.child, os.WNOHANG)
            if done:
                break
        else:
            os.kill(self.child, signal.SIGKILL)
            raise AssertionError("it does not end")
        while select.select([self.master], [], [], 0)[0] and self.seen[-1:] != "":
            length = len(self.seen)
            self.take(0)
            if len(self.seen) == length:
                break
        if status is not None:
            assert os.WIFEXITED(status_found) and os.WEXITSTATUS(status_found) == status, status_found
        if number is not None:
            assert os.WIFSIGNALED(status_found) and os.WTERMSIG(status_found) == number, status_found
        self.given_back()
        assert not leftovers(self.work), leftovers(self.work)
        os.close(self.master)
        os.close(self.slave)

    def given_back(self):
        assert termios.tcgetattr(self.slave) == self.before, "terminal attributes differ"
        for on, off in ("\033[?1049h", "\033[?1049l"), ("\033[?25l", "\033[?25h"):
            assert self.seen.rfind(on) < self.seen.rfind(off) or on not in self.seen, f"{off!r} is missing"


def leftovers(work):
    """Processes whose command line names this folder, a moment later."""
    for _ in range(40):
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                words = open(f"/proc/{pid}/cmdline", "rb").read().decode(errors="replace").split("\0")
            except OSError:
                continue
            if work in words and int(pid) != os.getpid() and words[0] == "cyclelab":
                found.append((pid, words))
        if not found:
            return found
        time.sleep(0.05)
    return found


MODEL = ("--on", "qemu")


def opens_at_the_next():
    watch = Watch(*MODEL)
    watch.wait("1 NOP", "0 of ", "q quit", "waiting for a save")
    assert os.path.exists(f"{watch.work}/01-nop-cycles")
    watch.press("q")
    watch.end(0)


def saves():
    watch = Watch("3", *MODEL)
    watch.wait("How many cycles", "Enter skips")
    watch.press("2,5\r")
    watch.wait("FAIL: ", "Next: ", "waiting for a save")
    watch.save(GOOD)
    watch.reacts()
    watch.wait("PASS: ", "1 of ", "waiting")
    watch.save("nonsense\n", rename=True)
    watch.reacts()
    watch.wait("FAIL: ", "clamp.c:1", "waiting")
    watch.save(GOOD, rename=True)
    watch.reacts()
    watch.wait("PASS: ", "waiting")
    os.unlink(f"{watch.work}/{CLAMP}")
    watch.reacts()
    watch.wait("clamp.c", "waiting")
    watch.save("nonsense again\n")
    watch.reacts()
    watch.save(GOOD)  # while that runs
    watch.wait("PASS: ", "waiting")
    watch.press("q")
    watch.end(0)


def all_keys():
    watch = Watch("4", *MODEL)
    watch.wait("How many cycles will one element take")
    watch.press("abc\r")
    watch.wait("a figure, like 2 or 0.5")
    watch.press("0.7\x7f6\r")
    watch.wait("FAIL: ", "waiting")
    for key, says in ("h", "Hint 1 of"), ("e", "sum"), ("r", "FAIL: "), ("s", "ccumulators"), ("\033", "FAIL: "):
        watch.press(key)
        watch.wait(says, "waiting")
    watch.press(" ")
    watch.press("\033[B\033[A\033[5~\033[6~b")
    watch.wait("FAIL: ")
    watch.press("p")
    watch.wait("> _")
    watch.press("\r")
    watch.wait("FAIL: ")
    watch.press("l")
    watch.wait("> 04-accumulators")
    watch.press("\033[Bk3")
    watch.wait("> 03-branch-elimination")
    watch.press("\r")
    watch.wait("3 Branch", "Enter skips")
    watch.press("\r")
    watch.wait("FAIL: ", "waiting")
    watch.press("n")
    watch.wait("4 Accumulators", "FAIL: ", "waiting")
    watch.press("lq")
    watch.end(0)


def keys_during_a_check():
    watch = Watch("3", *MODEL)
    watch.wait("Enter skips")
    watch.press("\r")
    watch.reacts()
    watch.press("h")
    watch.wait("Hint 1 of", "waiting")
    watch.press("\033")
    watch.wait("FAIL: ", "waiting")
    watch.save(GOOD)
    watch.reacts()
    watch.press("e")
    watch.wait("instructions", "clamp.c", "1 of ", "waiting")
    watch.press("\033")
    watch.wait("PASS: ")
    watch.press("q")
    watch.end(0)


def saves_during_a_question():
    watch = Watch("3", *MODEL)
    watch.wait("Enter skips")
    watch.press("\r")
    watch.wait("FAIL: ", "waiting")
    watch.press("p")
    watch.wait("> _")
    watch.save(GOOD)
    time.sleep(0.5)
    watch.take(0)
    watch.wait("> _", "waiting")
    watch.press("\033")
    watch.reacts()
    watch.wait("PASS: ", "waiting")
    watch.press("q")
    watch.end(0)


def jobs_end_behind_what_is_typed():
    watch = Watch("3", *MODEL)
    watch.wait("Enter skips")
    watch.press("\r")
    watch.wait("FAIL: ", "waiting")
    for opening, stands in ("l", "> 03-branch-elimination"), ("p4", "> 4_"):
        watch.press("e" + opening)
        watch.wait(stands, "waiting")
        watch.press("\033")
        watch.wait("instructions", "clamp.c", "waiting")
    watch.press("q")
    watch.end(0)


def another_folder():
    folder = os.path.join(scratch, "mine")
    shutil.copytree(f"{root}/exercises/03-branch-elimination/stub", folder)
    watch = Watch("3", *MODEL, "--src", folder)
    watch.wait("FAIL: ", "waiting", "s sweep r run again")
    for key in "nlp":
        watch.press(key)
        watch.wait("SRC goes with one exercise", "3 Branch")
        watch.press("\033")
        watch.wait("r run again")
    watch.press("q")
    watch.end(0)


def sizes():
    watch = Watch("3", *MODEL, rows=10, columns=40)
    watch.wait("Enter skips")
    watch.press("\r")
    watch.wait("FAIL: ", "waiting")
    for rows, columns in (10, 40), (24, 80), (3, 10), (1, 1), (60, 300), (24, 80):
        length = len(watch.seen)
        watch.size(rows, columns)
        os.kill(watch.child, signal.SIGWINCH)
        while len(watch.seen) == length:
            watch.take(5)
        time.sleep(0.1)
        watch.take(0)
        lines = watch.screen().split("\n")
        assert len(lines) <= max(rows, 5) and all(len(line) <= columns for line in lines), (rows, columns, lines)
    watch.wait("FAIL: ")
    watch.press("q")
    watch.end(0)


def plain():
    watch = Watch("3", *MODEL, NO_COLOR="1")
    watch.wait("Enter skips")
    watch.press("\r")
    watch.wait("FAIL: ", "waiting")
    assert not re.search(r"\033\[[0-9;]*[1-9][0-9;]*m", watch.seen), "colours"
    watch.press("q")
    watch.end(0)


def signals():
    for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT:
        for delay in 0, 0.01, 0.03, 0.1, 0.3, 0.8:
            watch = Watch("1", *MODEL)
            watch.started()
            time.sleep(delay)
            os.kill(watch.child, number)
            watch.end(number=number)
    watch = Watch("1", *MODEL)
    watch.wait("waiting")
    watch.press("\x03")
    watch.end(number=signal.SIGINT)
    watch = Watch("1", *MODEL)
    watch.wait("runs")
    os.kill(watch.child, signal.SIGSEGV)  # a crash of its own
    watch.end(number=signal.SIGSEGV)


def crash_of_a_child():
    watch = Watch("1", *MODEL)
    watch.wait("check runs")
    children = open(f"/proc/{watch.child}/task/{watch.child}/children", encoding="ascii").read().split()
    os.kill(int(children[0]), signal.SIGSEGV)
    watch.wait("ended by signal 11", "waiting")
    watch.press("r")
    watch.wait("FAIL: ", "waiting")
    watch.press("q")
    watch.end(0)


def stopped():
    watch = Watch("1", *MODEL)
    watch.wait("waiting")
    os.kill(watch.child, signal.SIGTSTP)
    # An orphaned process group is not stopped by SIGTSTP: it takes the terminal again at once.
    time.sleep(0.3)
    os.kill(watch.child, signal.SIGCONT)
    watch.wait("waiting")
    os.kill(watch.child, signal.SIGSTOP)
    os.waitpid(watch.child, os.WUNTRACED)
    termios.tcsetattr(watch.slave, termios.TCSANOW, watch.before)
    while select.select([watch.master], [], [], 0.2)[0]:
        watch.take(0)
    length = len(watch.seen)
    os.kill(watch.child, signal.SIGCONT)
    began = time.monotonic()  # what is drawn first may be the rest of an earlier screen
    while "\033[H" not in watch.seen[length:] or termios.tcgetattr(watch.slave)[3] & termios.ICANON:
        assert time.monotonic() - began < PATIENCE, "the terminal was not taken again"
        watch.take(0.02)
    watch.press("q")
    watch.end(0)


def hang_up():
    watch = Watch("1", *MODEL)
    watch.wait("waiting")
    os.close(watch.master)
    os.close(watch.slave)
    assert os.waitpid(watch.child, 0)[1] != 0
    assert not leftovers(watch.work)


shutil.rmtree(os.path.join(scratch, "work"), ignore_errors=True)
globals()[wanted]()
