#!/usr/bin/env python3
"""Writes the first table under "What is proved" in docs/exploration.md: each variant of each built-in scenario, with
its default parameters, searched to the end by `threadlab check`.

usage: proofs.py THREADLAB FILE [--time TIME]
"""
import argparse
import json
import os
import subprocess
import sys

HEADING = "## What is proved"
COLUMNS = ["| scenario | variants | end in | traces |", "|---|---|---|---|"]


def checked(threadlab, time):
    """What `check` says of each built-in variant that can be searched."""
    command = [threadlab, "check", "--builtin", "--controlled", "--format", "json", "--time", time]
    run = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if run.returncode != 0:
        sys.exit(f"proofs: '{' '.join(command)}' ended with code {run.returncode}: not all variants end as expected")
    return [scenario for scenario in json.loads(run.stdout)["scenarios"] if "controlled" in scenario]


def ending(scenario):
    search = scenario["controlled"]
    outcomes = sorted({outcome["outcome"] for outcome in search["outcomes"]})
    if not search["proof"]:
        return "no proof: too many traces"
    if not outcomes:
        return "proved: none fails"
    return "found: " + ", ".join(outcomes)


def rows(scenarios):
    """A row for the variants of a scenario that end alike, in the order in which the first of them appears."""
    groups = {}
    for scenario in scenarios:
        name, variant = scenario["name"].split("/")
        groups.setdefault(name, {}).setdefault(ending(scenario), []).append((variant, scenario["controlled"]))
    for name, endings in groups.items():
        shown = f"`{name}`"
        for end, variants in endings.items():
            names = ", ".join(f"`{variant}`" for variant, _ in variants)
            counts = [f"{search['traces']:,}" if search["proof"] else "–" for _, search in variants]
            if len(set(counts)) == 1 and len(counts) > 1:
                counts = [f"{counts[0]} each"]
            yield f"| {shown} | {names} | {end} | {', '.join(counts) if ',' not in ''.join(counts) else '; '.join(counts)} |"
            shown = ""


def replaced(text, table):
    """The text with another first table under the heading."""
    lines = text.split("\n")
    begin = lines.index(HEADING)
    while not lines[begin].startswith("|"):
        begin += 1
    end = begin
    while lines[end].startswith("|"):
        end += 1
    return "\n".join(lines[:begin] + table + lines[end:])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("threadlab")
    parser.add_argument("file")
    parser.add_argument("--time", default="20s", help="the time limit for each variant")
    arguments = parser.parse_args()
    with open(arguments.file, encoding="utf-8") as file:
        old = file.read()
    scenarios = checked(arguments.threadlab, arguments.time)
    new = replaced(old, COLUMNS + [row.replace("|  |", "| |") for row in rows(scenarios)])
    temporary = arguments.file + ".new"
    with open(temporary, "w", encoding="utf-8") as file:
        file.write(new)
    os.replace(temporary, arguments.file)
    proved = sum(scenario["controlled"]["proof"] for scenario in scenarios)
    print(f"{arguments.file}: {len(scenarios)} variants, {proved} searched to the end")


if __name__ == "__main__":
    main()
