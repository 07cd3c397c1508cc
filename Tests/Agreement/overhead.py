"""Measures what Helgrind and ThreadSanitizer cost where threads wait for each other.

The program is producer_consumer.c, threadlab's scenario of that name on plain POSIX threads. Beside the figures of
`benchmarks detection` (Tests/Benchmarks/README.md) they say what live detection costs elsewhere. What counts are the ratios
within one run; a tool that is not there is left out.
"""
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).with_name("producer_consumer.c")
ROUNDS = 3


def build(folder, name, *options):
    """The program's path, or None if it cannot be built so."""
    path = os.path.join(folder, name)
    compiler = os.environ.get("CC", "cc")
    if not shutil.which(compiler):
        sys.exit(f"threadlab: no C compiler '{compiler}': name one with CC=")
    done = subprocess.run([compiler, "-O2", "-pthread", *options, SOURCE, "-o", path], capture_output=True)
    return path if done.returncode == 0 else None


def contenders(folder):
    """Name, command, and how many items: Helgrind would take minutes for as many as the others."""
    plain = build(folder, "plain")
    if not plain:
        sys.exit(f"threadlab: {SOURCE.name} cannot be compiled")
    found = [("by itself", [plain], 1_000_000)]
    sanitized = build(folder, "sanitized", "-fsanitize=thread")
    if sanitized:
        found.append(("ThreadSanitizer", [sanitized], 1_000_000))
    else:
        print("ThreadSanitizer: this compiler has none")
    if shutil.which("valgrind"):
        found.append(("Helgrind", ["valgrind", "-q", "--tool=helgrind", plain], 20_000))
    else:
        print("Helgrind: no valgrind")
    return found


def nanoseconds(command, items, capacity):
    done = subprocess.run([*command, str(items), str(capacity)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"threadlab: {command[0]} ended with {done.returncode}: {done.stderr[:500]}")
    return float(done.stdout)


def measure(capacity, found):
    times = {name: [] for name, _, _ in found}
    for _ in range(ROUNDS):
        for name, command, items in found:
            times[name].append(nanoseconds(command, items, capacity))
    print(f"\nproducer-consumer in C, through a buffer for {capacity}")
    for name, _, _ in found:
        ratio = statistics.median(time / bare for time, bare in zip(times[name], times["by itself"]))
        print(f"  {name:<24}{statistics.median(times[name]):>12,.0f} ns an item   {ratio:.1f} x")


def main():
    with tempfile.TemporaryDirectory() as folder:
        found = contenders(folder)
        for capacity in [1, 16]:
            measure(capacity, found)


main()
