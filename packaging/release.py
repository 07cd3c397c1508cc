#!/usr/bin/env python3
"""The changelog, the version and the tag of a release: a commit and an annotated tag, which nothing pushes.

Usage: release.py VERSION VERSION_FILE CHANGELOG, in the repository. Everything is checked before anything is written.
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
    if f"\n## [{version}]" in changelog:
        refuse(f"the changelog has a section {version} already")
    if not rest.split("\n## [")[0].strip():
        refuse("nothing in the changelog's section [Unreleased]: there is nothing to release")
    return f"{before}{heading}\n## [{version}] - {today}\n{rest}"


def main():
    if len(sys.argv) != 4 or not VERSION.fullmatch(sys.argv[1]):
        refuse("VERSION must be three numbers: make release VERSION=1.2.3")
    version, version_file, changelog_file = sys.argv[1:]
    tag = f"v{version}"
    if git("status", "--porcelain"):
        refuse("the work tree has changes that are not committed: git status shows them")
    tags = git("tag", "--list", "v*").split()
    if tag in tags:
        refuse(f"the tag {tag} exists: a released version does not change")
    known = [t[1:] for t in tags if VERSION.fullmatch(t[1:])]
    source = read(version_file)
    declared = DECLARATION.findall(source)
    if len(declared) != 1:
        refuse(f"{version_file} does not declare one version")
    for older in known + [declared[0][1]]:
        if parts(version) < parts(older):
            refuse(f"{version} is older than {older}")
    today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    changelog = released(read(changelog_file), version, today)
    write(version_file, DECLARATION.sub(rf"\g<1>{version}\g<3>", source))
    write(changelog_file, changelog)
    git("commit", "-q", "-m", f"Version {version}", "--", version_file, changelog_file)
    git("tag", "-a", tag, "-m", f"threadlab {version}")
    print(f"release: {tag} is a commit and a tag of this repository. 'git push --follow-tags' publishes it;")
    print(f"  'git tag -d {tag} && git reset --hard HEAD^' takes it back.")


main()
