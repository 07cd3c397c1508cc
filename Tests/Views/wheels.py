"""What tests of views use from PyPI: fetched once, by requirements.txt, and unpacked into .build/views-wheels."""

import glob
import os
import subprocess
import sys
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
REQUIREMENTS = os.path.join(HERE, "requirements.txt")
FOLDER = os.path.join(os.path.dirname(os.path.dirname(HERE)), ".build", "views-wheels")


def folder():
    """Where everything is. None: it can be had neither from an earlier run nor from PyPI."""
    done = os.path.join(FOLDER, "requirements.txt")
    with open(REQUIREMENTS) as file:
        wanted = file.read()
    if os.path.exists(done) and open(done).read() == wanted:
        return FOLDER
    fetched = subprocess.run(
        [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "download", "--no-deps",
         "--only-binary=:all:", "--platform", "any", "--implementation", "py", "--abi", "none", "--require-hashes",
         "--timeout", "10", "--retries", "1", "--dest", FOLDER, "--requirement", REQUIREMENTS],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if fetched.returncode != 0:
        return None
    for path in glob.glob(os.path.join(FOLDER, "*.whl")):
        with zipfile.ZipFile(path) as wheel:
            wheel.extractall(FOLDER)
        os.remove(path)
    with open(done, "w") as file:
        file.write(wanted)
    return FOLDER
