#!/usr/bin/env python3
"""One search on many workers, simulated from recorded durations.

    python3 Tests/Benchmarks/scale.py PROGRAM.lab [TASKS [WORKERS…]]

Divides the search of a program by partial orders, does one task after the other, and records the processor time of each. Then a queue
hands the tasks, in their order, to workers that become free. What one worker needs for the whole search is measured too. THREADLAB is the
program under test, by default the release build.
"""
import heapq
import os
import resource
import subprocess
import sys
import tempfile

THREADLAB = os.environ.get("THREADLAB", ".build/release/threadlab")


def run(*words):
    """The processor time of a command, with that of its processes, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ended = subprocess.run([THREADLAB, *words], stdout=subprocess.PIPE, text=True, check=False)
    if ended.returncode not in (0, 1):
        sys.exit(f"threadlab {' '.join(words)}: exit code {ended.returncode}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, ended.stdout


def makespan(durations, workers):
    free = [0.0] * workers
    for duration in durations:
        heapq.heappush(free, heapq.heappop(free) + duration)
    return max(free)


def main():
    program = sys.argv[1]
    tasks = int(sys.argv[2]) if len(sys.argv) > 2 else 64
    workers = [int(word) for word in sys.argv[3:]] or [2, 4, 8, 16]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "tasks")
        whole, report = run("explore", program, "--strategy", "dpor", "--jobs", "1", "--time", "24h")
        divide, _ = run("explore", program, "--divide", str(tasks), "--to", path, "--time", "24h")
        names = sorted((name for name in os.listdir(path)), key=lambda name: int(name.split(".")[0]))
        durations = [run("work", os.path.join(path, name))[0] for name in names]
        results = [os.path.join(path, name.replace(".task", ".result")) for name in names]
        merge, joined = run("work", "--merge", *results)
        same = "the same report" if joined == report else "another report"
        print(f"{program}: one search {whole:.1f} s; {len(names)} tasks {sum(durations):.1f} s in all, "
              f"{min(durations):.2f} to {max(durations):.2f} s each; divide {divide:.2f} s, merge {merge:.2f} s; {same}")
        for count in workers:
            total = divide + makespan(durations, count) + merge
            print(f"  {count} workers: {total:.1f} s, {whole / total:.1f} times as fast")


main()
