"""Builds a kernel: from a checkout that the user has, or from assembly in the manifest, behind stub.S."""
import shutil
import subprocess
import threading
from pathlib import Path

HERE = Path(__file__).parent
EXPORTS = threading.Lock()
CROSS = "aarch64-linux-gnu-"
FLAGS = ["-O3", "-march=armv8.2-a+crypto+fp16+dotprod+sha3", "-ffreestanding", "-fno-pie", "-fno-stack-protector",
         "-fno-asynchronous-unwind-tables", "-w"]


class Trouble(Exception):
    """A kernel cannot be built, and why: one line, and what to do."""


def run(command, **more):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **more)
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines()
        telling = [line for line in lines if "error:" in line or "undefined reference" in line] or lines or ["it says nothing"]
        raise Trouble(f"{command[0]} failed: {telling[0]}")
    return done.stdout


def repository(kernel, code):
    """The checkout (or bare clone) of the kernel's repository."""
    for folder in (code / kernel.repository, code / kernel.repository.split("/")[1]):
        if (folder / ".git").exists() or (folder / "objects").exists():
            return folder
    raise Trouble(f"no checkout of {kernel.repository}: git clone https://github.com/{kernel.repository} "
                  f"{code}/{kernel.repository}")


def checkout(kernel, code, trees):
    """The repository as it was at the kernel's commit, whatever is checked out: a folder below `trees`."""
    folder = repository(kernel, code)
    tree = trees / kernel.repository / kernel.commit
    with EXPORTS:
        if tree.exists():
            return tree
        try:
            run(["git", "-C", folder, "cat-file", "-e", kernel.commit + "^{commit}"])
        except Trouble:
            raise Trouble(f"{folder} has no commit {kernel.commit}: git -C {folder} fetch origin {kernel.commit}") from None
        new = tree.with_suffix(".new")
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir(parents=True)
        run(["git", "-C", folder, "archive", "-o", new / ".tar", kernel.commit])
        run(["tar", "-xf", new / ".tar", "-C", new])
        new.rename(tree)
    return tree


def own_source(kernel, folder):
    path = folder / "kernel.S"
    path.write_text(f"        .arch armv8.2-a+crypto\n        .text\n        .p2align 6\n        .global {kernel.label}\n"
                    f"        .type {kernel.label}, %function\n{kernel.label}:\n{kernel.assembly}\n        ret\n"
                    f"        .size {kernel.label}, . - {kernel.label}\n")
    return path


def outside_source(kernel, tree, folder, number):
    """A source file by itself; a script in Perl (OpenSSL's way) writes assembly."""
    path = tree / kernel.sources[number]
    if not path.exists():
        raise Trouble(f"{path} is not there")
    if path.suffix != ".pl":
        return path
    made = folder / f"source{number}.S"
    run(["perl", path, "linux64", made])
    return made


def compile_all(kernel, code, trees, folder):
    """The kernel's objects."""
    own = [assemble(own_source(kernel, folder), [], folder, "own.o")] if kernel.assembly else []
    if not kernel.repository:
        return own
    tree = checkout(kernel, code, trees)
    flags = [flag.replace("{code}", str(tree)) for flag in kernel.flags]
    for name, text in kernel.headers.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text or "")
    return own + [assemble(outside_source(kernel, tree, folder, number), flags, folder, f"source{number}.o")
                  for number in range(len(kernel.sources))]


def assemble(path, flags, folder, name):
    made = folder / name
    language = ["-x", "assembler-with-cpp"] if path.suffix in (".S", ".s", ".asm") else []
    run([CROSS + "gcc", *FLAGS, "-I", folder, *flags, *language, "-c", "-o", made, path])
    return made


def programs(kernel, code, build, folder):
    """The program with the kernel in it, alone in a list; for a batch, the one with no call between the barriers, too."""
    objects = compile_all(kernel, code, build / "hardware", folder)
    batches = [f"-DBATCH={kernel.batch}", "-DBATCH=0"] if kernel.batch else [""]
    return [link(kernel, objects, build, folder, number, batch) for number, batch in enumerate(batches)]


def link(kernel, objects, build, folder, number, batch):
    function = kernel.function or kernel.label
    stub = folder / f"stub{number}.o"
    run([CROSS + "gcc", f"-DKERNEL={function}", f"-DARGUMENTS={len(kernel.arguments)}", *batch.split(), "-c", "-o", stub,
         HERE / "stub.S"])
    made = folder / f"program{number}"
    run([CROSS + "gcc", "-static", "-nostdlib", "-no-pie", "-Wl,--no-warn-rwx-segments", "-Wl,-z,noexecstack", "-o", made, stub,
         *objects, build / "runner/aarch64/runner.o", "-lgcc"])
    return made


def symbols(path):
    """{name: address} of a program."""
    found = {}
    for line in run([CROSS + "nm", path]).splitlines():
        if len(line.split()) == 3:
            address, _, name = line.split()
            found[name] = int(address, 16)
    return found


def arguments(kernel, path):
    """The kernel's arguments as the driver takes them: `symbol NAME [BYTES]` is an address."""
    known = None
    for argument in kernel.arguments:
        words = argument.split()
        if words[0] != "symbol":
            yield argument
            continue
        known = known or symbols(path)
        if len(words) not in (2, 3) or words[1] not in known:
            raise Trouble(f"expected `symbol NAME [BYTES]` with a symbol of the program, found {argument}")
        yield str(known[words[1]] + int(words[2] if len(words) == 3 else 0))


def counts(said):
    """{event: count} of what the driver printed."""
    words = said.split()
    return {event: float(count) for event, count in zip(words[::2], words[1::2])}
