#!/usr/bin/env python3
"""Two independent oracles for small .lab programs under the memory models sc, tso and rc11. Standard library only.

  weak.py FILE.lab [--model sc|tso|rc11] [--json]     what the program can do, and whether its claims hold
  weak.py --selftest [--random N] [--seed S]          compares both oracles on the stored programs and on N random ones
  weak.py --write                                     writes expected.json for the stored programs
  weak.py --generate N --seed S                       writes N random programs to weak/random

Definitions, formats and sources: weak/README.md.
"""
import argparse
import json
import pathlib
import sys

from weak import axiomatic, claims, generate, operational, selftest
from weak.program import Program, Unsupported
from weak.results import MODELS


def show(path, models, asJSON):
    program = Program(path.read_text())
    results = axiomatic.run(program, models)
    if asJSON:
        print(json.dumps({model: result.json() for model, result in results.items()}))
        return 0
    others = operational.run(program, models)
    for model in models:
        result, other = results[model], others[model]
        verdict = "race" if result.race else f"{result.graphs} graphs, {result.blocked} blocked"
        print(f"{model}: {verdict}{'' if result.json() == other.json() else ' (THE ORACLES DIFFER)'}")
        for outcome in [] if result.race else sorted(result.outcomes):
            print("    " + " ".join(f"{name}={value}" for name, value in outcome))
    wrong = claims.failures(program, results) if set(models) == set(MODELS) else []
    for sentence in wrong:
        print(sentence)
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=pathlib.Path)
    parser.add_argument("--model", choices=MODELS)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--selftest", action="store_true")
    parser.add_argument("--random", type=int, default=0, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--generate", type=int, metavar="N")
    options = parser.parse_args()
    if options.selftest:
        return selftest.run(options.random, options.seed)
    if options.write:
        return selftest.write()
    if options.generate:
        return selftest.store(options.generate, options.seed)
    if not options.file:
        parser.error("a FILE, --selftest, --write or --generate is needed")
    try:
        return show(options.file, [options.model] if options.model else MODELS, options.json)
    except (OSError, Unsupported) as problem:
        print(f"{options.file}: {problem}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
