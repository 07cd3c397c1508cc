#!/usr/bin/env python3
"""'make release-prepare' and 'make release-tag' in a small repository with the files that they use: what they refuse and write.

Usage: release.py. Needs git and make; takes a second.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
VERSION_FILE = "Sources/Console/Session/Session.swift"
CHANGES = "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A thing.\n"


class Release(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        for path in ["Makefile", VERSION_FILE]:
            os.makedirs(os.path.join(self.folder, os.path.dirname(path)), exist_ok=True)
            shutil.copy(os.path.join(ROOT, path), os.path.join(self.folder, path))
        shutil.copytree(os.path.join(ROOT, "packaging"), os.path.join(self.folder, "packaging"))
        self.write("CHANGELOG.md", CHANGES)
        self.write(VERSION_FILE, '    static let version = "0.1.0"\n')
        self.git("init", "-q", "-b", "main")
        self.commit()

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def run_in_folder(self, *command):
        names = {f"GIT_{role}_{what}": "x@example.org" for role in ["AUTHOR", "COMMITTER"] for what in ["NAME", "EMAIL"]}
        # 'make test' passes its own options to each make below it.
        environment = {k: v for k, v in os.environ.items() if k not in ["MAKEFLAGS", "MAKELEVEL", "MFLAGS"]}
        return subprocess.run(
            command, cwd=self.folder, capture_output=True, text=True,
            env=environment | names | {"GIT_CONFIG_GLOBAL": "/dev/null"})

    def git(self, *arguments):
        run = self.run_in_folder("git", *arguments)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "A state")

    def release(self, version, *steps):
        return self.run_in_folder("make", *(steps or ["release-prepare", "release-tag"]), f"VERSION={version}")

    def refuses(self, version, reason):
        before = self.git("rev-parse", "HEAD") + self.git("tag") + self.git("status", "--porcelain")
        run = self.release(version)
        self.assertNotEqual(run.returncode, 0)
        self.assertIn(f"release: {reason}", run.stderr)
        after = self.git("rev-parse", "HEAD") + self.git("tag") + self.git("status", "--porcelain")
        self.assertEqual(before, after)

    def test_writes_the_changelog_and_the_version_and_tags_the_commit(self):
        run = self.release("0.2.0")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(
            self.read("CHANGELOG.md"),
            r"^# Changelog\n\n## \[Unreleased\]\n\n## \[0\.2\.0\] - \d{4}-\d\d-\d\d\n\n### Added\n\n- A thing\.\n$")
        self.assertEqual(self.read(VERSION_FILE), '    static let version = "0.2.0"\n')
        self.assertEqual(self.git("status", "--porcelain"), "")
        self.assertEqual(self.git("cat-file", "-t", "v0.2.0"), "tag\n")
        self.assertEqual(self.git("rev-parse", "v0.2.0^{commit}"), self.git("rev-parse", "HEAD"))
        self.refuses("0.2.0", "the tag v0.2.0 exists")
        self.refuses("0.1.9", "0.1.9 is older than 0.2.0")
        self.refuses("0.3.0", "nothing in the changelog's section [Unreleased]")

    def test_nothing_is_tagged_before_the_packages_are_tested(self):
        self.assertEqual(self.release("0.2.0", "release-prepare").returncode, 0)
        self.assertEqual(self.git("tag"), "")
        prepared = self.git("rev-parse", "HEAD")
        # A test of the packages failed, and they are made again.
        self.assertEqual(self.release("0.2.0", "release-prepare").returncode, 0)
        self.assertEqual(self.git("rev-parse", "HEAD"), prepared)
        self.assertEqual(self.release("0.2.0", "release-tag").returncode, 0)
        self.assertEqual(self.git("rev-parse", "v0.2.0^{commit}"), prepared)

    def test_does_not_tag_a_commit_that_is_no_release(self):
        self.assertEqual(self.release("0.2.0", "release-prepare").returncode, 0)
        self.write("new.txt", "")
        self.commit()
        run = self.release("0.2.0", "release-tag")
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("release: the last commit is not version 0.2.0", run.stderr)
        self.assertEqual(self.git("tag"), "")

    def test_the_declared_version_can_be_the_first_release(self):
        self.assertEqual(self.release("0.1.0").returncode, 0)
        self.assertIn("v0.1.0", self.git("tag"))

    def test_a_section_that_was_written_before_gets_the_date_of_the_release(self):
        section = "## [0.1.0] - 2020-01-02\n\nThe first version.\n"
        self.write("CHANGELOG.md", CHANGES + "\n" + section)
        self.commit()
        self.refuses("0.1.0", "the changelog has a section 0.1.0 already")
        self.write("CHANGELOG.md", "# Changelog\n\n## [Unreleased]\n\n" + section)
        self.commit()
        self.assertEqual(self.release("0.1.0").returncode, 0)
        self.assertRegex(
            self.read("CHANGELOG.md"),
            r"^# Changelog\n\n## \[Unreleased\]\n\n## \[0\.1\.0\] - 20[2-9]\d-\d\d-\d\d\n\nThe first version\.\n$")
        self.assertNotIn("2020", self.read("CHANGELOG.md"))
        self.assertIn("v0.1.0", self.git("tag"))

    def test_refuses_a_version_that_is_not_three_numbers(self):
        for version in ["", "1", "1.2", "v1.2.3", "1.2.3.4", "1.02.3", "1.2.x", "1.2.3-rc1", "1.2.3 4"]:
            self.refuses(version, "VERSION must be three numbers")

    def test_refuses_a_work_tree_with_changes(self):
        self.write("new.txt", "")
        self.refuses("0.2.0", "the work tree has changes")
        self.commit()
        self.write("CHANGELOG.md", CHANGES + "- More.\n")
        self.refuses("0.2.0", "the work tree has changes")

    def test_refuses_a_changelog_without_its_section(self):
        self.write("CHANGELOG.md", "# Changelog\n")
        self.commit()
        self.refuses("0.2.0", "the changelog has no section [Unreleased]")

    def test_the_packages_have_the_declared_version(self):
        run = self.run_in_folder("make", "-s", "--eval", "say:; @echo $(RELEASED)", "say")
        self.assertRegex(run.stdout, r"^threadlab-0\.1\.0-linux-\w+\n$")
        changelog = self.run_in_folder("env", "SOURCE_DATE_EPOCH=0", "packaging/debian-changelog", "1.2.3").stdout
        self.assertTrue(changelog.startswith("threadlab (1.2.3-1) "), changelog)
        self.assertTrue(changelog.endswith("  Thu, 01 Jan 1970 00:00:00 +0000\n"), changelog)


if __name__ == "__main__":
    if not shutil.which("git"):
        print("release.py: no git: nothing was tested")
        sys.exit(0)
    unittest.main()
