#!/usr/bin/env python3
"""How well '--time', '--total-time' and signals are kept on a busy machine, for every front end and kind of program.

    python3 Tests/Benchmarks/limits.py [LOAD [SECONDS [PATTERN]]]

Runs each command beside LOAD processes that compute all the time (by default 16), with a limit of SECONDS (5), and then without one, asked to
end by SIGTERM after SECONDS. A limit is kept within a tenth of it and a second, a signal within two seconds; the table says what took longer,
and the exit code is 1. PATTERN chooses rows by a part of their name. THREADLAB is the program under test, by default that of the tests;
lab-plugin and the libraries of compiled programs are beside it. What has none of them is left out.
"""
import os
import signal
import subprocess
import sys
import tempfile
import time

THREADLAB = os.path.abspath(os.environ.get("THREADLAB", ".build-tests/release/threadlab"))
PLUGIN = os.path.join(os.path.dirname(THREADLAB), "lab-plugin")
SLACK, SIGNAL_SLACK = 1.0, 2.0

LARGE = 'scenario "large"\natomic n = 0\nthread t[4] { repeat 100 { n.add(1) } }\nexpect completes\n'
# A race that is found at once, in an execution that takes long to shrink.
LONG = 'scenario "long"\nshared n = 0\nmutex m\nthread t[6] { repeat 300 { lock m { n += 1 } }; n += 1 }\nexpect completes\n'
WEAK = 'scenario "weak"\natomic x = 0, y = 0\nthread a[3] { repeat 30 { x.store(1, relaxed); y.add(1, relaxed) } }\nexpect completes\n'
TASK = """scenario "task"
given atomic n = 0
given func add() { n.add(1) }
thread t[4] { repeat 100 { add() } }
expect completes
"""

# The first execution takes long.
SLOW = """
#include <pthread.h>
#include <stdlib.h>
enum { N = 3000000 };
static volatile int *v;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int done;
static void *half(void *p) {
    volatile int *a = p;
    for (int round = 0; round < 100; round++)
        for (long i = 1; i < N / 2; i++) a[i] = a[i - 1] * 1664525 + 1013904223;
    pthread_mutex_lock(&m);
    done++;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    v = malloc(N * sizeof *v);
    pthread_t t, u;
    pthread_create(&t, 0, half, (void *)v);
    pthread_create(&u, 0, half, (void *)(v + N / 2));
    pthread_join(t, 0);
    pthread_join(u, 0);
    free((void *)v);
    return done != 2;
}
"""
# A race at the end of executions of many steps.
STEPS = """
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count, last;
static void *work(void *p) {
    for (int i = 0; i < 4000; i++) {
        pthread_mutex_lock(&m);
        count++;
        pthread_mutex_unlock(&m);
    }
    last++;
    return p;
}
int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    return 0;
}
"""


def rows():
    """The name, the words and the option of the limit, for each. {} is a folder of its own for either way."""
    for kind, program in [("lab", "large.lab"), ("lab", "long.lab"), ("Swift", "mishap"), ("C", "./slow"), ("C", "./steps")]:
        tool = PLUGIN if kind == "Swift" else THREADLAB
        if kind == "Swift" and not os.path.exists(PLUGIN) or kind == "C" and not os.path.exists(program):
            continue
        variants = ["--variant", "tells"] if kind == "Swift" else []
        yield f"explore {program}", [tool, "explore", program] + variants, "--time"
        yield f"explore --keep-going {program}", [tool, "explore", program, "--keep-going"] + variants, "--time"
        if kind == "Swift":
            yield "explore mishap hang", [tool, "explore", program, "--variant", "hang", "--step-time", "1h"], "--time"
            yield "check mishap", [tool, "check", "--builtin", "--filter", "mishap/[ht]*"], "--time"
            yield "check mishap, total", [tool, "check", "--builtin", "--filter", "mishap/*"], "--total-time"
        elif kind == "C":
            yield f"check {program}", [tool, "check", program[2:] + ".lab"], "--time"
        else:
            yield f"check {program}", [tool, "check", program], "--time"
    yield "explore --suggest", [THREADLAB, "explore", "long.lab", "--suggest"], "--time"
    yield "explore --outcomes", [THREADLAB, "explore", "large.lab", "--outcomes"], "--time"
    yield "explore rc11", [THREADLAB, "explore", "weak.lab", "--model", "rc11", "--outcomes"], "--time"
    yield "check, total", [THREADLAB, "check", "many"], "--total-time"
    if os.path.exists("slow.lab"):
        yield "check of compiled ones, total", [THREADLAB, "check", "slow.lab", "steps.lab", "large.lab"], "--total-time"
    yield "check --against", [THREADLAB, "check", "task.lab", "--against", "task.lab"], "--time"
    yield "grade", [THREADLAB, "learn", "grade", "tasks", "anna", "ben", "--jobs", "2"], "--time"
    yield "work", [THREADLAB, "work", "{}/1.task"], "--time"


def write(path, text):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def prepare():
    for name, text in [("large.lab", LARGE), ("long.lab", LONG), ("weak.lab", WEAK), ("task.lab", TASK)]:
        write(name, text)
    for number in range(40):
        write(f"many/{number}.lab", LARGE)
    write("tasks/task.lab", TASK)
    for student in ["anna", "ben"]:
        write(f"{student}/task.lab", TASK)
    for name, text in [("slow", SLOW), ("steps", STEPS)]:
        write(f"{name}.c", text)
        subprocess.run([THREADLAB, "cc", "--", "cc", "-g", "-O1", f"{name}.c", "-o", name], capture_output=True)
        if os.path.exists(name):
            write(f"{name}.lab", f'scenario "{name}"\nrun "./{name}"\nexpect completes\n')
    for folder in ["limited", "asked"]:
        subprocess.run(
            [THREADLAB, "explore", "large.lab", "--strategy", "random", "--runs", "100000000", "--divide", "1", "--to",
             folder], capture_output=True)


def beside(load):
    """Starts processes that compute until this one has ended."""
    parent, children = os.getpid(), []
    for _ in range(load):
        child = os.fork()
        if child == 0:
            while os.getppid() == parent:
                for _ in range(100_000):
                    pass
            os._exit(0)
        children.append(child)
    return children


def measured(words, ending=None):
    """How long the command takes, or, if it is asked to end after a time, from then on; and how it ends."""
    start = time.monotonic()
    process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if ending:
        try:
            output, _ = process.communicate(timeout=ending)
            return None, process.returncode, output
        except subprocess.TimeoutExpired:
            start = time.monotonic()
            process.send_signal(signal.SIGTERM)
    try:
        output, _ = process.communicate(timeout=120)
    except subprocess.TimeoutExpired:
        process.kill()
        output, _ = process.communicate()
    return time.monotonic() - start, process.returncode, output


def main():
    load = int(sys.argv[1]) if len(sys.argv) > 1 else 16
    limit = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    pattern = sys.argv[3] if len(sys.argv) > 3 else ""
    isKept = True
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        prepare()
        children = beside(load)
        print(f"{load} busy processes, limit {limit} s\n{'':36}{'limit':>8}{'code':>5}{'SIGTERM':>10}{'code':>5}")
        for name, words, option in rows():
            if pattern not in name:
                continue
            limited, code, output = measured([word.format("limited") for word in words] + [option, f"{limit}s"])
            asked, signaled, said = measured([word.format("asked") for word in words] + [option, "1h"], ending=limit)
            isLate = limited > limit * 1.1 + SLACK or asked is not None and asked > SIGNAL_SLACK
            isKept = isKept and not isLate
            took = f"{asked:8.1f} s{signaled:5}" if asked is not None else f"{'ended':>10}{signaled:5}"
            print(f"{name:36}{limited:6.1f} s{code:5}{took}{'  LATE' if isLate else ''}", flush=True)
            if isLate:
                print("    " + "\n    ".join((output + said).splitlines()[-4:]), flush=True)
        for child in children:
            os.kill(child, signal.SIGKILL)
    sys.exit(0 if isKept else 1)


if __name__ == "__main__":
    main()
