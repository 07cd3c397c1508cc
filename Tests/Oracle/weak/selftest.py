"""Compares the two oracles with each other and with the claims of the stored programs, and writes expected.json."""
import json
import pathlib

from . import axiomatic, claims, generate, operational
from .program import Program
from .results import MODELS
from .shrink import shrink

FOLDER = pathlib.Path(__file__).parent
EXPECTED = FOLDER / "expected.json"


def both(source):
    """The results of both oracles, as JSON."""
    program = Program(source)
    return tuple({model: result.json() for model, result in oracle.run(program).items()}
                 for oracle in (axiomatic, operational))


def differ(source):
    first, second = both(source)
    return first != second


def weakens(result):
    """Sentences about a stronger model that allows more than a weaker one."""
    for strong, weak in (("sc", "tso"), ("tso", "rc11")):
        one, other = result[strong], result[weak]
        if one["race"] and not other["race"]:
            yield f"a race under {strong} that {weak} does not have"
        elif not other["race"] and not one["race"]:
            if any(outcome not in other["outcomes"] for outcome in one["outcomes"]):
                yield f"an outcome under {strong} that {weak} does not have"
            if one["deadlock"] and not other["deadlock"] or one["graphs"] > other["graphs"]:
                yield f"more graphs or deadlocks under {strong} than under {weak}"


def stored():
    """(name, text) of the stored programs."""
    for path in sorted(FOLDER.glob("corpus/*.lab")) + sorted(FOLDER.glob("random/*.lab")):
        yield path.stem, path.read_text()


def problems(name, source):
    first, second = both(source)
    if first != second:
        small = shrink(source, differ)
        one, two = both(small)
        yield f"{name}: the oracles differ\n{small}\n  (a) {json.dumps(one)}\n  (b) {json.dumps(two)}"
        return
    for sentence in weakens(first):
        yield f"{name}: {sentence}"
    program = Program(source)
    if program.claims:
        for sentence in claims.failures(program, axiomatic.run(program)):
            yield f"{name}: {sentence}"


def run(count, seed):
    programs = list(stored()) + [(f"random {seed + i}", generate.program(seed + i)) for i in range(count)]
    wrong = 0
    expected = json.loads(EXPECTED.read_text()) if EXPECTED.exists() else {}
    for name, source in programs:
        for sentence in problems(name, source):
            print(sentence)
            wrong += 1
        if name in expected and expected[name] != both(source)[0]:
            print(f"{name}: expected.json says something else")
            wrong += 1
    print(f"{len(programs)} programs, {wrong} problems")
    return 1 if wrong else 0


def write():
    results = {}
    for name, source in stored():
        first, second = both(source)
        if first != second:
            print(f"{name}: the oracles differ; nothing is written")
            return 1
        results[name] = first
    lines = [f" {json.dumps(name)}: {json.dumps(result)}" for name, result in results.items()]
    EXPECTED.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(f"{len(results)} programs written")
    return 0


def store(count, seed):
    """Random programs that no earlier one equals, numbered from 1."""
    folder, found = FOLDER / "random", []
    folder.mkdir(exist_ok=True)
    while len(found) < count:
        name = f"random-{len(found) + 1:03}"
        source = generate.program(seed, name)
        seed += 1
        first = both(source)[0]
        if interesting(first):
            found.append(source)
            (folder / f"{name}.lab").write_text(source)
    return 0


def interesting(result):
    """Not too large for a test that runs hundreds of them; of the programs without a difference among the models, and of those
    with a race, only some."""
    return result["rc11"]["race"] or 2 <= result["rc11"]["graphs"] <= 500
