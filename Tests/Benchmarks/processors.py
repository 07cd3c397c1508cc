#!/usr/bin/env python3
"""What two processes gain on two processors, for each search that can be divided. Needs a quiet machine.

    python3 Tests/Benchmarks/processors.py [PROCESSES [ROUNDS]]

Divides a search, works on its tasks one after the other, then with PROCESSES at once (by default 2), and compares the time on the clock;
the best of ROUNDS (by default 3). Both join the same results. What 'explore --jobs' gains on the same search is measured beside it.
THREADLAB is the program under test, by default the release build.
"""
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

THREADLAB = os.path.abspath(os.environ.get("THREADLAB", ".build/release/threadlab"))

ORDERS = """scenario "orders"
shared counter = 0
mutex m
thread worker[4] { repeat 3 { lock m { counter = counter + 1 } } }
thread last { lock m { counter = counter + 1 } }
"""
GRAPHS = """scenario "graphs"
atomic x = 0, y = 0
thread a { repeat 4 { x.add(1, relaxed) }; y.store(1, relaxed) }
thread b { repeat 3 { x.add(1, relaxed) }; y.store(2, relaxed) }
thread c { let v = y.load(relaxed); let w = x.load(relaxed); let u = x.load(relaxed); x.store(7, relaxed) }
thread d { let v = y.load(relaxed); let w = x.load(relaxed) }
"""
STATES = """scenario "states"
mutex m
condition notFull with m, notEmpty with m
shared used = 0
thread producer[2] {
    repeat 4000 { lock m { while used == 1 { notFull.wait() }; used = used + 1; notEmpty.signal() } }
}
thread consumer[2] {
    repeat 4000 { lock m { while used == 0 { notEmpty.wait() }; used = used - 1; notFull.signal() } }
}
"""
SEARCHES = [
    # Name, program, options, number of tasks, whether one machine has the same search.
    ("dpor", ORDERS, ["--strategy", "dpor"], 16, True),
    ("graphs", GRAPHS, ["--strategy", "graphs", "--model", "rc11"], 16, True),
    ("random", ORDERS, ["--strategy", "random", "--runs", "8000000"], 16, True),
    ("states", STATES, ["--strategy", "states", "--memory", "256"], 8, False),
]


def run(*words):
    """The time on the clock of a command, and what it prints."""
    begin = time.monotonic()
    ended = subprocess.run([THREADLAB, *words], stdout=subprocess.PIPE, text=True, check=False)
    if ended.returncode not in (0, 1):
        sys.exit(f"threadlab {' '.join(words)}: exit code {ended.returncode}")
    return time.monotonic() - begin, ended.stdout


def work(tasks, processes):
    """The time for all tasks with this number of processes at once."""
    for task in tasks:
        if os.path.exists(task.replace(".task", ".result")):
            os.remove(task.replace(".task", ".result"))
    begin = time.monotonic()
    with ThreadPoolExecutor(processes) as pool:
        list(pool.map(lambda task: run("work", task), tasks))
    elapsed = time.monotonic() - begin
    return elapsed, run("work", "--merge", *(task.replace(".task", ".result") for task in tasks))[1]


def main():
    processes = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    print(f"{'search':8} {'tasks':>5} {'one':>8} {processes:>4} at once   gain   explore --jobs {processes}")
    for name, program, options, count, has_whole in SEARCHES:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, name + ".lab")
            with open(path, "w", encoding="utf-8") as file:
                file.write(program)
            options = [path, *options, "--time", "24h"]
            tasks_path = os.path.join(folder, "tasks")
            run("explore", *options, "--divide", str(count), "--to", tasks_path)
            names = sorted(os.listdir(tasks_path), key=lambda name: int(name.split(".")[0]))
            tasks = [os.path.join(tasks_path, name) for name in names]
            if not tasks:
                sys.exit(f"{name}: the search was over before it was divided")
            one, joined = min(work(tasks, 1) for _ in range(rounds))
            several, other = min(work(tasks, processes) for _ in range(rounds))
            if joined != other:
                sys.exit(f"{name}: the results differ")
            line = f"{name:8} {len(tasks):5} {one:6.2f} s {several:8.2f} s {one / several:6.2f}x"
            if has_whole:
                jobs = [min(run("explore", *options, "--jobs", str(n))[0] for _ in range(rounds)) for n in (1, processes)]
                line += f"   {jobs[0]:6.2f} s {jobs[1]:6.2f} s {jobs[0] / jobs[1]:6.2f}x"
            print(line, flush=True)


main()
