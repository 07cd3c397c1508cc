#!/usr/bin/env python3
"""The changelog, the version and the tag of a release: a commit, and an annotated tag once its packages are tested.

Usage: release.py prepare VERSION VERSION_FILE CHANGELOG
       release.py tag VERSION
in the repository. Everything is checked before anything is written, and nothing is pushed.
"""

import datetime
import os
import re
import subprocess
import sys

NUMBER = r"(0|[1-9][0-9]*)"
VERSION = re.compile(rf"{NUMBER}\.{NUMBER}\.{NUMBER}")
DECLARATION = re.compile(r'(static let version = ")([^"]*)(")')


def refuse(message):
    print(f"release: {message}", file=sys.stderr)
    sys.exit(2)


def git(*arguments):
    run = subprocess.run(["git", *arguments], capture_output=True, text=True)
    if run.returncode != 0:
        refuse(f"git {arguments[0]}: {run.stderr.strip()}")
    return run.stdout.strip()


def parts(version):
    return tuple(int(number) for number in VERSION.fullmatch(version).groups())


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(text)
    os.rename(path + ".new", path)


def released(changelog, version, today):
    """The changelog with everything that was not released as a section of this version."""
    heading = "## [Unreleased]\n"
    before, found, rest = changelog.partition(heading)
    if not found:
        refuse("the changelog has no section [Unreleased]")
    is_empty = not rest.split("\n## [")[0].strip()
    own = re.compile(rf"^## \[{re.escape(version)}\].*$", re.MULTILINE)
    if own.search(rest):
        # Its section was written by hand: it gets the date of the release.
        if is_empty:
            return before + heading + own.sub(f"## [{version}] - {today}", rest)
        refuse(f"the changelog has a section {version} already: move the lines of [Unreleased] into it")
    if is_empty:
        refuse("nothing in the changelog's section [Unreleased]: there is nothing to release")
    return f"{before}{heading}\n## [{version}] - {today}\n{rest}"


def prepare(version, version_file, changelog_file):
    if is_prepared(version):
        print(f"release: the last commit is version {version}: its packages are made again")
        return
    check_order(version)
    source = read(version_file)
    declared = DECLARATION.findall(source)
    if len(declared) != 1:
        refuse(f"{version_file} does not declare one version")
    if parts(version) < parts(declared[0][1]):
        refuse(f"{version} is older than {declared[0][1]}")
    today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    changelog = released(read(changelog_file), version, today)
    write(version_file, DECLARATION.sub(rf"\g<1>{version}\g<3>", source))
    write(changelog_file, changelog)
    # Both may be as they were: the version is declared, and its section has today's date.
    git("commit", "-q", "--allow-empty", "-m", subject(version), "--", version_file, changelog_file)
    print(f"release: version {version} is a commit of this repository: 'git reset --hard HEAD^' takes it back")


def tag(version):
    if not is_prepared(version):
        refuse(f"the last commit is not version {version}: 'make release-prepare VERSION={version}' makes it")
    check_order(version)
    git("tag", "-a", f"v{version}", "-m", f"threadlab {version}")
    print(f"release: v{version} is a tag of this repository: 'git push --follow-tags' publishes it,")
    print(f"  and the files in dist/ are those to upload. 'git tag -d v{version}' takes it back.")


def subject(version):
    return f"Version {version}"


def is_prepared(version):
    """Whether a release was begun, and not ended, for example because its packages failed a test."""
    return git("log", "-1", "--format=%s") == subject(version) and f"v{version}" not in git("tag").split()


def check_order(version):
    tags = git("tag", "--list", "v*").split()
    if f"v{version}" in tags:
        refuse(f"the tag v{version} exists: a released version does not change")
    for older in [t[1:] for t in tags if VERSION.fullmatch(t[1:])]:
        if parts(version) < parts(older):
            refuse(f"{version} is older than {older}")


def main():
    step, version, *files = sys.argv[1:]
    if not VERSION.fullmatch(version):
        refuse("VERSION must be three numbers: make release VERSION=1.2.3")
    if git("status", "--porcelain"):
        refuse("the work tree has changes that are not committed: git status shows them")
    if step == "prepare":
        prepare(version, *files)
    else:
        tag(version)


main()
