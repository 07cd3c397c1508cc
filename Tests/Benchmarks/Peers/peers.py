"""Measures threadlab against three other tools on the same programs, as a user starts them, and prints the ratios.

Relacy explores random executions, like `explore --strategy random`: both run alternately, for some rounds, and are
compared by executions per second of processor time, of the whole process and with race detection. SPIN searches all
states, like `explore --strategy states`. GenMC visits all execution graphs of a memory model, like `explore --model rc11`.

What is missing is reported, and the rest is measured. The programs are our own: lab/ for threadlab, relacy/, spin/ and genmc/
for the others. SPIN is a Debian package (`apt-get install spin`). Relacy's programs are expected in a folder that git
ignores, named like their sources: each takes the number of executions.
"""
import argparse
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

HERE = pathlib.Path(__file__).resolve().parent


@dataclass
class Usage:
    """What a process used, with its children."""
    output: str
    code: int
    elapsed: float
    processor: float
    megabytes: float


def run(command, folder=None):
    start = time.monotonic()
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen([str(word) for word in command], cwd=folder, stdout=output, stderr=output)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        elapsed = time.monotonic() - start
        output.seek(0)
        return Usage(
            output.read(), process.returncode, elapsed, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


# Random executions: Relacy's program and ours. Relacy ends at a deadlock, so its two locks are taken in the same order;
# ours in opposite orders too.
RANDOM = [
    ("two locks", "two-locks", "two-locks", []),
    ("two locks, opposite orders", "two-locks", "two-locks-opposite", ["--keep-going"]),
    ("counter 3x3", "counter", "counter-3-3", []),
    ("buffer 2/2, 2 items, capacity 2", "buffer", "buffer-2-2-items-2-capacity-2", []),
]


def compare_random(threadlab, relacy, rounds, executions):
    print(f"Random executions per second of processor time, {executions} at a time, medians of {rounds} rounds")
    print(f"{'program':34}{'Relacy':>12}{'threadlab':>12}{'ratio':>8}")
    for name, theirs, ours, options in RANDOM:
        peer = relacy / theirs
        rates = {"Relacy": [], "threadlab": []}
        for _ in range(rounds):
            if peer.exists():
                usage = run([peer, executions])
                if usage.code != 0:
                    sys.exit(f"peers: {peer} failed:\n{usage.output}")
                rates["Relacy"].append(executions / usage.processor)
            usage = run([threadlab, "--no-pager", "explore", HERE / "lab" / f"{ours}.lab", "--strategy", "random",
                         "--runs", executions, "--time", "1h", "--jobs", "1", *options])
            if usage.code != 0 or f"{executions} executions" not in " ".join(usage.output.split()):
                sys.exit(f"peers: threadlab failed on {ours}:\n{usage.output}")
            rates["threadlab"].append(executions / usage.processor)
        medians = {tool: statistics.median(values) for tool, values in rates.items() if values}
        ratios = [ours / theirs for ours, theirs in zip(rates["threadlab"], rates["Relacy"])]
        print(f"{name:34}{shown(medians.get('Relacy')):>12}{shown(medians['threadlab']):>12}"
              f"{f'{statistics.median(ratios):.2f}' if ratios else '':>8}", flush=True)
        if not peer.exists():
            print(f"    no {peer}: it is a program from relacy/{theirs}.cpp")
    print()


def shown(rate):
    return "" if rate is None else f"{rate / 1e6:.2f} M"


# All states: SPIN's program, its definitions, and ours.
STATES = [
    ("buffer 2/2, 5 items, capacity 1", "buffer", "PRODUCERS=2 CONSUMERS=2 ITEMS=5 CAPACITY=1",
     "buffer-2-2-items-5-capacity-1"),
    ("buffer 3/3, 4 items, capacity 2", "buffer", "PRODUCERS=3 CONSUMERS=3 ITEMS=4 CAPACITY=2",
     "buffer-3-3-items-4-capacity-2"),
    ("counter 4x3", "counter", "THREADS=4 TIMES=3", "counter-4-3"),
    ("philosophers 6, in order, once", "philosophers", "N=6", "philosophers-6"),
    ("philosophers 6, in order, forever", "philosophers", "N=6 FOREVER=1", "philosophers-6-forever"),
]


def compare_states(threadlab):
    missing = [tool for tool in ("spin", "gcc") if not shutil.which(tool)]
    if missing:
        print(f"no {' and no '.join(missing)}: install it with 'apt-get install {' '.join(missing)}'")
    print("All states: number, search alone, whole time with translation and gcc, memory")
    print(f"{'program':36}{'tool':12}{'states':>12}{'search':>9}{'whole':>9}{'memory':>10}")
    for name, model, definitions, ours in STATES:
        if not missing:
            print(f"{name:36}{'SPIN':12}{spin(model, definitions)}", flush=True)
        print(f"{name:36}{'threadlab':12}{states(threadlab, ours)}", flush=True)


def spin(model, definitions):
    with tempfile.TemporaryDirectory() as folder:
        start = time.monotonic()
        made = run(["spin", *[f"-D{word}" for word in definitions.split()], "-a", HERE / "spin" / f"{model}.pml"], folder)
        built = run(["gcc", "-O2", "-w", "-DMEMLIM=8192", "-o", "pan", "pan.c"], folder)
        if made.code != 0 or built.code != 0:
            return "  failed: " + (made.output + built.output).strip().replace("\n", " ")
        search = run(["./pan", "-m1000000"], folder)
        whole = time.monotonic() - start
    if "errors: 0" not in search.output:
        return "  found an error"
    count = re.search(r"([\d.e+]+) states, stored", search.output)
    return row(int(float(count[1])), search.elapsed, whole, search.megabytes)


def states(threadlab, program):
    usage = run([threadlab, "--no-pager", "explore", HERE / "lab" / f"{program}.lab", "--strategy", "states",
                 "--jobs", "1", "--time", "10m"])
    if usage.code == 2:
        return "  there is no strategy 'states'"
    text = " ".join(usage.output.split())
    count = re.search(r"([\d,. ]*\d) states", text)
    line = row(int(re.sub(r"\D", "", count[1])) if count else 0, None, usage.elapsed, usage.megabytes)
    return line if usage.code == 0 else line + "  unexpected: " + text[:80]


def row(count, search, whole, megabytes):
    alone = "" if search is None else f"{search:.2f} s"
    return f"{count:>12,}{alone:>9}{f'{whole:.2f} s':>9}{f'{megabytes:.0f} MB':>10}"


# All graphs: GenMC's program, its N, ours, and the numbers of graphs under rc11 and sc, which both must find.
GRAPHS = [
    ("fib", 4, "fib-4", 34_205, 19_605),
    ("fib", 5, "fib-5", 525_630, 218_243),
    ("peterson-loop", 3, "peterson-loop-3", 75_664, 75_664),
    ("seqlock", 3, "seqlock-3-writes", 49_284, 28_224),
    ("lastzero", 10, "lastzero-10", 3_328, 3_328),
    ("inc-rlx", 7, "inc-rlx-7", 5_040, 5_040),
    ("readers", 13, "readers-13", 8_192, 8_192),
]


def compare_graphs(threadlab, rounds):
    genmc = shutil.which("genmc")
    print()
    if not genmc:
        print("no genmc in PATH: GenMC is skipped (https://github.com/MPI-SWS/genmc)")
    print(f"All execution graphs: number, processor seconds of the whole process, one thread, medians of {rounds} rounds")
    print(f"{'program':20}{'model':8}{'graphs':>10}{'GenMC':>10}{'threadlab':>12}{'ratio':>8}")
    for model, expected in (("rc11", 3), ("sc", 4)):
        for entry in GRAPHS:
            source, size, ours = entry[:3]
            count = entry[expected]
            theirs = [genmc_seconds(genmc, model, source, size, count) for _ in range(rounds)] if genmc else []
            own = statistics.median(own_seconds(threadlab, model, ours, count) for _ in range(rounds))
            peer = statistics.median(theirs) if theirs else None
            print(f"{ours:20}{model:8}{count:>10,}{'' if peer is None else f'{peer:.2f} s':>10}{f'{own:.2f} s':>12}"
                  f"{'' if peer is None else f'{own / peer:.2f}':>8}", flush=True)


def genmc_seconds(genmc, model, source, size, count):
    """Without its reductions by symmetry and in place, which do not visit each graph."""
    usage = run([genmc, f"--{model}", "--disable-ipr", "--disable-sr", "--", f"-DN={size}",
                 HERE / "genmc" / f"{source}.c"])
    found = re.search(r"complete executions explored: (\d+)", usage.output)
    if usage.code != 0 or not found:
        sys.exit(f"peers: genmc failed on {source}:\n{usage.output}")
    if int(found[1]) != count:
        sys.exit(f"peers: genmc finds {found[1]} graphs of {source} under {model}, not {count}")
    return usage.processor


def own_seconds(threadlab, model, program, count):
    command = [threadlab, "--no-pager", "explore", HERE / "lab" / f"{program}.lab", "--model", model, "--jobs", "1",
               "--time", "10m", "--strategy"]
    usage = run([*command, "dpor" if model == "sc" else "graphs"])
    if usage.code == 2 and model != "sc":
        # Of a program without weak orders, the search of all traces is that of all graphs.
        usage = run([*command, "dpor"])
    text = " ".join(usage.output.split())
    found = re.search(r"All were run: ([\d,]+) executions", text)
    if usage.code != 0 or not found or int(found[1].replace(",", "")) != count:
        sys.exit(f"peers: threadlab does not find {count} graphs of {program} under {model}:\n{text[:300]}")
    return usage.processor


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--threadlab", default=HERE.parents[2] / ".build/release/threadlab", type=pathlib.Path)
    parser.add_argument("--relacy", default=HERE / "relacy/build", type=pathlib.Path, help="where Relacy's programs are")
    parser.add_argument("--rounds", default=5, type=int)
    parser.add_argument("--runs", default=2_000_000, type=int)
    arguments = parser.parse_args()
    if not arguments.threadlab.exists():
        sys.exit(f"peers: no {arguments.threadlab}: build it with 'make build'")
    compare_random(arguments.threadlab.resolve(), arguments.relacy, arguments.rounds, arguments.executions)
    compare_states(arguments.threadlab.resolve())
    compare_graphs(arguments.threadlab.resolve(), arguments.rounds)


if __name__ == "__main__":
    main()
