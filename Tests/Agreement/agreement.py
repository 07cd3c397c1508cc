"""Compares what threadlab finds with what ThreadSanitizer and Helgrind find in the very same runs.

Every program runs on real threads, as a process that the tool watches, and threadlab judges that run from its events. So
there are two verdicts on one run, for data races (both tools) and for the order of locks (Helgrind; this toolchain's
ThreadSanitizer looks for none). `make agreement` builds what is needed, and prints a table of all verdicts;
docs/diagnosis.md has the disagreements.

The exit code is 1 if the two disagree on a program and nobody has said why in explained.json.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Where the memory of a program is touched: a cell, a list of a .lab file, a Shared of a Swift scenario. What a tool says
# of other places is about threadlab's own books, not about the program.
PROGRAM_MEMORY = re.compile(
    r"NativeRuntimeC6access|NativeRuntime\.access|LabExecution.*Interpreter|10Primitives6Shared|Primitives\.Shared")

PROGRAM_LOCK = re.compile(r"NativeRuntimeC7perform")

# The library that tells Helgrind of calls which it does not know.
CALLS = "helgrind_calls.so"

# A run in which no race is seen is repeated so often: a race shows only if the threads are there at the same time.
ATTEMPTS = 4


@dataclass
class Program:
    name: str
    words: list


@dataclass
class Verdicts:
    """What was found in any of the runs: `ours` by threadlab in the runs that the tool saw, `theirs` by the tool."""
    ours: set = field(default_factory=set)
    theirs: set = field(default_factory=set)
    uses_atomics: bool = False


def lab_programs(folder):
    """The files, and each with a pause at the beginning of its threads, so that they are there at the same time.

    A pause puts nothing in order. Without it the first thread of so small a program has ended before the second begins,
    and the tools see the locks that threadlab itself takes in between.
    """
    for path in sorted([*ROOT.glob("scenarios/*/*.lab"), *ROOT.glob("Tests/Benchmarks/sct/*.lab")]):
        text = path.read_text()
        copy = folder / path.name
        copy.write_text(re.sub(r"^(thread \w+(\[[^\]]*\])?\s*\{)", r"\1 sleep 5ms;", text, flags=re.M))
        name = str(path.relative_to(ROOT)).removeprefix("scenarios/").removeprefix("Tests/Benchmarks/")
        yield Program(name.removesuffix(".lab"), [str(copy)])


def built_in_programs(threadlab):
    listing = json.loads(subprocess.run([threadlab, "list", "--format", "json"], capture_output=True, check=True).stdout)
    for scenario in listing:
        for variant in scenario["variants"]:
            yield Program(f"{scenario['name']} {variant['name']}", [scenario["name"], "--variant", variant["name"]])


def found_by_us(output):
    """The findings of a run, from its JSON."""
    lines = [json.loads(line) for line in output.splitlines() if line.startswith('{"finding"')]
    return {line["finding"]["name"] for line in lines}


def run(command, program, verdicts, environment=None):
    """One run, on real threads, and what threadlab says of it. A tool makes everything slow, so it has time."""
    words = command + ["run", *program.words, "--native", "--format", "json", "--diagnose", "race,lock-order",
                       "--timeout", "20s"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, env={**os.environ, **(environment or {})})
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(words)}: exit code {done.returncode}\n{done.stderr}")
    verdicts.ours |= found_by_us(done.stdout)
    verdicts.uses_atomics |= '"atomic.' in done.stdout


def thread_sanitizer(threadlab, program, folder):
    verdicts = Verdicts()
    for attempt in range(ATTEMPTS):
        log = folder / f"tsan-{program.name.replace('/', '-').replace(' ', '-')}-{attempt}"
        run([threadlab], program, verdicts, {"TSAN_OPTIONS": f"exitcode=0:log_path={log}"})
        for path in folder.glob(log.name + ".*"):
            for report in path.read_text().split("=" * 18):
                if "data race" in report:
                    verdicts.theirs.add("race" if PROGRAM_MEMORY.search(report) else "race in threadlab's own memory")
        if "race" in verdicts.theirs:
            break
    return verdicts


def helgrind(threadlab, program, folder):
    verdicts = Verdicts()
    name = program.name.replace("/", "-").replace(" ", "-")
    command = ["valgrind", "--tool=helgrind", "--history-level=none", "--xml=yes",
               f"--xml-file={folder}/helgrind-{name}.%p", threadlab]
    run(command, program, verdicts, {"LD_PRELOAD": str(folder / CALLS)})
    for path in folder.glob(f"helgrind-{name}.*"):
        for error in errors(path):
            kind = error.findtext("kind")
            top = " ".join(frame.findtext("fn") or "" for frame in list(error.find("stack"))[:4])
            if kind == "LockOrder" and PROGRAM_LOCK.search(top):
                verdicts.theirs.add("lock-order")
            elif kind == "Race" and PROGRAM_MEMORY.search(top) and not verdicts.uses_atomics:
                # It takes an atomic for plain memory: it knows neither the order that it makes nor that it is no race.
                verdicts.theirs.add("race")
    return verdicts


def errors(path):
    """What Helgrind reports. A process that is stopped, as one in a deadlock is, leaves its file without an end."""
    parser = xml.XMLPullParser(["end"])
    parser.feed(path.read_text())
    return [element for _, element in parser.read_events() if element.tag == "error"]


def judge(program, arguments, folder):
    return program, thread_sanitizer(arguments.tsan, program, folder), helgrind(arguments.helgrind, program, folder)


def differences(tsan, grind):
    """What the verdicts on the same runs differ in, in words."""
    pairs = [("race", tsan, "ThreadSanitizer"), ("lock-order", grind, "Helgrind")]
    if not grind.uses_atomics:
        pairs.append(("race", grind, "Helgrind"))
    found = []
    for kind, verdicts, tool in pairs:
        if kind in verdicts.ours - verdicts.theirs:
            found.append(f"{kind}: threadlab, not {tool}")
        elif kind in verdicts.theirs - verdicts.ours:
            found.append(f"{kind}: {tool}, not threadlab")
    return found + [kind for kind in tsan.theirs if kind != "race"]


def row(program, tsan, grind):
    def mark(findings, kind):
        return "yes" if kind in findings else "no"

    races = [mark(tsan.ours | grind.ours, "race"), mark(tsan.theirs, "race"),
             "atomics" if grind.uses_atomics else mark(grind.theirs, "race")]
    orders = [mark(grind.ours, "lock-order"), mark(grind.theirs, "lock-order")]
    return f"| `{program.name}` | " + " | ".join(races + orders) + " |"


def listed(programs):
    """Their names, a line a folder."""
    folders = {}
    for program in programs:
        scenario, _, variant = program.name.partition(" ")
        folder, _, name = (scenario + " (built in)", "", variant) if variant else scenario.rpartition("/")
        folders.setdefault(folder, []).append(name)
    return [f"- `{folder}`: {', '.join(names)}" for folder, names in folders.items()]


def report(results, explained):
    """Prints the tables. Returns the programs whose disagreement nobody has explained."""
    silent = [program for program, tsan, grind in results if not (tsan.ours | tsan.theirs | grind.ours | grind.theirs)]
    disagreements = [(program, found) for program, tsan, grind in results if (found := differences(tsan, grind))]
    print(f"{len(results)} programs. In {len(results) - len(disagreements)} all verdicts agree; "
          f"{len(silent)} of these have neither a race nor an order of locks that anyone reports.\n")
    print("| program | race: threadlab | ThreadSanitizer | Helgrind | lock order: threadlab | Helgrind |")
    print("|---|---|---|---|---|---|")
    for program, tsan, grind in results:
        if program not in silent:
            print(row(program, tsan, grind))
    print("\nThe disagreements:\n\n| program | which tool reports what | why |\n|---|---|---|")
    for program, found in disagreements:
        print(f"| `{program.name}` | {'; '.join(sorted(found))} | {explained.get(program.name, '**not explained**')} |")
    print("\nReported by no tool:\n", *listed(silent), sep="\n")
    return [program.name for program, _ in disagreements if program.name not in explained]


def prepare(threadlab, folder):
    """Helgrind cannot read the debug information of Swift's compiler. Returns the program without it."""
    bare = folder / "threadlab"
    subprocess.run(["strip", "--strip-debug", "-o", bare, threadlab], check=True)
    source = pathlib.Path(__file__).parent / "helgrind_calls.c"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", folder / CALLS, source], check=True)
    return str(bare)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tsan", required=True, help="threadlab, built with ThreadSanitizer")
    parser.add_argument("--helgrind", required=True, help="threadlab, built as usual")
    parser.add_argument("--only", default="", help="programs whose names contain this")
    arguments = parser.parse_args()
    explained = json.loads((pathlib.Path(__file__).parent / "explained.json").read_text())
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        arguments.helgrind = prepare(arguments.helgrind, folder)
        programs = [*built_in_programs(arguments.helgrind), *lab_programs(folder)]
        programs = [program for program in programs if arguments.only in program.name]
        with concurrent.futures.ThreadPoolExecutor(2) as workers:
            results = list(workers.map(lambda program: judge(program, arguments, folder), programs))
    unexplained = report(results, explained)
    if unexplained:
        sys.exit("not explained: " + ", ".join(unexplained))


main()
