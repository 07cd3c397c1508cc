"""Compares the two oracles with each other and with the claims of the stored programs, and writes expected.json."""
import json
import pathlib

from . import axiomatic, claims, generate, operational
from .program import Program, Unsupported
from .results import MODELS
from .shrink import shrink

FOLDER = pathlib.Path(__file__).parent
SCENARIOS = FOLDER.parents[2] / "scenarios/weak-memory"
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


# Programs of scenarios/weak-memory that the oracles do not read: an `await` of two cells, or a loop without a limit.
UNREAD = {"peterson-exchange", "peterson-fence", "peterson-release-acquire", "spin-lock", "spin-lock-fixed"}


def stored():
    """(name, text) of the stored programs."""
    known = sorted([*SCENARIOS.glob("*.lab"), *FOLDER.glob("corpus/*.lab")], key=lambda path: path.stem)
    for path in known + sorted(FOLDER.glob("random/*.lab")):
        if path.stem not in UNREAD:
            yield path.stem, path.read_text()


def unread():
    """Sentences about programs that the oracles could read, or that are not there."""
    for name in sorted(UNREAD):
        try:
            both((SCENARIOS / f"{name}.lab").read_text())
            yield f"{name}: the oracles can read it"
        except Unsupported:
            pass


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
    for sentence in unread():
        print(sentence)
        wrong += 1
    expected = json.loads(EXPECTED.read_text()) if EXPECTED.exists() else {}
    for name, source in programs:
        for sentence in problems(name, source):
            print(sentence, flush=True)
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
    """Random programs of several kinds, numbered from 1; a third of them may be without a difference among the models."""
    folder, found = FOLDER / "random", {"race": 0, "deadlock": 0, "different": 0, "same": 0}
    room = {"race": count // 10, "deadlock": count // 10, "different": count, "same": count // 3}
    folder.mkdir(exist_ok=True)
    while sum(found.values()) < count:
        name = f"random-{sum(found.values()) + 1:03}"
        source = generate.program(seed, name)
        seed += 1
        kind = kind_of(both(source)[0])
        if kind and found[kind] < room[kind]:
            found[kind] += 1
            (folder / f"{name}.lab").write_text(source)
    print(", ".join(f"{number} {kind}" for kind, number in found.items()))
    return 0


def kind_of(result):
    """What a program is good for; None if it has only one graph, or too many for a test that runs hundreds of programs."""
    sc, tso, rc11 = (result[model] for model in MODELS)
    if rc11["race"]:
        return "race"
    if not 2 <= rc11["graphs"] + rc11["blocked"] <= 300:
        return None
    if sc["outcomes"] != tso["outcomes"] or tso["outcomes"] != rc11["outcomes"]:
        return "different"
    return "deadlock" if rc11["deadlock"] else "same"
