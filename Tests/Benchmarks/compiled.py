#!/usr/bin/env python3
"""Compiled programs under the scheduler, end to end, as a user starts them.

    python3 Tests/Benchmarks/compiled.py [--large]

Compiles programs of Tests/Programs with `threadlab cc`, and measures executions a second (processor time of all processes, what starting
costs left out), complete searches, whether repeated executions ever differ, and the most memory used. `--large` takes ten million executions
for the memory, which needs some minutes. THREADLAB is the program under test, by default the release build.
"""
import os
import re
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
THREADLAB = os.path.abspath(os.environ.get("THREADLAB", os.path.join(ROOT, ".build/release/threadlab")))


class Ended:
    """A command that has ended: its output, and what it and its processes used."""

    def __init__(self, folder, *words):
        start = time.monotonic()
        with open(os.path.join(folder, "output"), "w+", encoding="utf-8") as output:
            process = subprocess.Popen([THREADLAB, *words], cwd=folder, stdout=output, stderr=subprocess.STDOUT)
            _, status, usage = os.wait4(process.pid, 0)
            output.seek(0)
            self.text = output.read()
        self.wall = time.monotonic() - start
        self.used = usage.ru_utime + usage.ru_stime
        self.kibibytes = usage.ru_maxrss
        self.code = os.waitstatus_to_exitcode(status)
        if self.code not in (0, 1):
            sys.exit(f"threadlab {' '.join(words)}: exit code {self.code}\n{self.text}")


def build(folder, name):
    source = os.path.join(ROOT, "Tests/Programs", name)
    program = "./" + os.path.basename(name).split(".")[0]
    if name.endswith(".cpp"):
        Ended(folder, "cc", "--", "clang++", "-O1", "-std=c++20", source, "-o", program)
    else:
        Ended(folder, "cc", "--", "clang", "-O1", source, "-o", program)
    return program


def throughput(folder, what, program, count, *arguments):
    """Of random executions, all of which are run."""
    def explore(executions):
        words = ["--strategy", "random", "--keep-going", "--jobs", "1", "--time", "1h", "--runs", str(executions)]
        return Ended(folder, "explore", program, *words, *(["--", *arguments] if arguments else []))

    few, many = explore(count // 10), explore(count)
    rate = (count - count // 10) / (many.used - few.used)
    print(f"{what}: {rate:,.0f} executions a second; {count:,} in {many.used:.2f} s of processor time, {many.wall:.2f} s; "
          f"{few.kibibytes:,} KiB after {count // 10:,}, {many.kibibytes:,} KiB after all", flush=True)


def complete(folder, what, program, *arguments):
    """Of all orders: the best of five."""
    ended = [Ended(folder, "explore", program, *(["--", *arguments] if arguments else [])) for _ in range(5)]
    proof = re.search(r"(proved|no finding|[a-z-]+): .*", ended[0].text)
    print(f"{what}: {min(e.used for e in ended) * 1000:.0f} ms of processor time, {min(e.wall for e in ended) * 1000:.0f} ms; "
          f"{proof.group(0) if proof else ended[0].text}", flush=True)


def main():
    isLarge = "--large" in sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        deadlock = build(folder, "deadlock.c")
        throughput(folder, "two locks in C, in one order", deadlock, 10_000_000 if isLarge else 1_000_000, "same")
        throughput(folder, "two locks in C, in opposite orders", deadlock, 500_000)
        standard = build(folder, "standard.cpp")
        throughput(folder, "threads, locks, conditions, futures and shared pointers of C++", standard, 200_000)
        complete(folder, "all orders of two locks", deadlock, "same")
        complete(folder, "starting: one order", build(folder, "handlers.c"))
        for name in sorted(os.listdir(os.path.join(ROOT, "Tests/Programs/correct"))):
            complete(folder, f"all orders of {name}", build(folder, f"correct/{name}"))


main()
