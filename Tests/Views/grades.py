#!/usr/bin/env python3
"""Looks at the pages of a class's grades in a headless Chromium: `make test-views`.

    grades.py THREADLAB [PICTURES]

A class with every kind of verdict: each page is opened in a wide, a narrow and a dark window, each link is followed, and nothing
that a student has written is taken for a part of a page.
"""

import os
import shutil
import subprocess
import sys
import tempfile

import access
import wheels
from browser import Browser, program
from programs import Failed, expect
from views import PROBLEMS

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COURSE = os.path.join(ROOT, "course")
LOOKS = [(1280, 800, False), (390, 844, True), (1920, 1080, False)]
EXERCISES = ["two-threads/add-a-lock", "two-threads/lose-updates", "deadlock/transfer-both-ways",
             "bounded-buffers/what-a-buffer-promises"]
MARK = "<img src=x onerror=document.title='taken'>"
# By student: the files, each a file of the exercise or a text.
CLASS = {
    "anna": {"add-a-lock.lab": "solution.lab", "lose-updates.schedule": "1x2,2x2,1x3,2,1,2x4,1x2,2\n",
             "transfer-both-ways.lab": "solution.lab", "what-a-buffer-promises.lab": "solution.lab"},
    "ben": {"add-a-lock.lab": "wrong-1.lab", "lose-updates.schedule": "1x3\n", "transfer-both-ways.lab": "wrong-1.lab",
            "what-a-buffer-promises.lab": "wrong-1.lab"},
    "<b>cleo": {"add-a-lock.lab": f"// {MARK}\nscenario \"{MARK}\"\nthread x {{ }}\n", "lose-updates.schedule": MARK + "\n",
                "transfer-both-ways.lab": "thread {\n"},
    "dora": {},
}


def grade(threadlab, folder):
    tasks = os.path.join(folder, "tasks")
    for exercise in EXERCISES:
        shutil.copytree(os.path.join(COURSE, exercise), os.path.join(tasks, os.path.basename(exercise)))
    for student, files in CLASS.items():
        os.mkdir(os.path.join(folder, student))
        for name, content in files.items():
            if content.endswith(".lab"):
                with open(os.path.join(tasks, name.split(".")[0], content)) as file:
                    content = file.read()
            with open(os.path.join(folder, student, name), "w") as file:
                file.write(content)
    done = subprocess.run([threadlab, "learn", "grade", "tasks", *CLASS, "--html", "pages"],
                          cwd=folder, capture_output=True, text=True)
    expect(done.returncode == 0, f"'grade' ends with {done.returncode}: {done.stderr}")
    return os.path.join(folder, "pages")


def check_index(browser, pages):
    page = browser.page()
    page.open(os.path.join(pages, "index.html"))
    rows = page.run("[...document.querySelector('tbody').rows].map((row) => [...row.cells].map((cell) => cell.textContent))")
    expect([row[0] for row in rows] == sorted(CLASS), f"the students are {[row[0] for row in rows]}")
    by_name = {row[0]: row[1:] for row in rows}
    expect(by_name["anna"] == ["passed"] * 4 + ["4"], f"anna has {by_name['anna']}")
    expect(by_name["ben"][-1] == "0" and by_name["dora"] == ["missing"] * 4 + ["0"], f"the rows are {by_name}")
    links = page.run("[...document.querySelectorAll('td a')].map((a) => a.getAttribute('href'))")
    expect(len(links) == sum(len(files) for files in CLASS.values()), f"{len(links)} links")
    for link in links:
        expect(os.path.isfile(os.path.join(pages, link)), f"the link '{link}' leads nowhere")
    page.run("document.querySelector('td a').focus()")
    expect(page.run("document.activeElement.tagName") == "A", "a link cannot be reached with the keyboard")
    page.close()


def check_looks(browser, pages, pictures):
    folder = wheels.folder()
    script = access.script(folder) if folder else None
    if script is None:
        print("skipped: axe-core's rules of accessibility (they cannot be fetched from PyPI with pip)")
    for name in sorted(os.listdir(pages)):
        for width, height, dark in LOOKS:
            page = browser.page(width, height, dark)
            page.open(os.path.join(pages, name))
            problems = page.run(PROBLEMS)
            expect(not problems, f"{name} at {width}: {problems[:5]}")
            expect(page.run("document.title") != "taken" and not page.run("document.images.length"),
                   f"{name}: a student's text is a part of the page")
            if script:
                grave, _ = access.violations(page, script)
                expect(not grave, f"{name} at {width}: {grave}")
            complaints = [text for text in page.complaints() if "axe" not in text]
            expect(not complaints, f"{name} at {width}: {complaints}")
            if pictures and name in ("index.html", "ben-add-a-lock.html"):
                page.picture(os.path.join(pictures, f"grades-{name[:-5]}-{width}.png"))
            page.close()


def main():
    threadlab = os.path.abspath(sys.argv[1])
    pictures = sys.argv[2] if len(sys.argv) > 2 else None
    if pictures:
        os.makedirs(pictures, exist_ok=True)
    if program() is None:
        print("skipped: grades in a browser (no Chromium: install it with 'apt-get install chromium')")
        return
    browser = Browser()
    try:
        with tempfile.TemporaryDirectory() as folder:
            pages = grade(threadlab, folder)
            check_index(browser, pages)
            check_looks(browser, pages, pictures)
            print(f"{len(os.listdir(pages))} pages of grades work")
    except Failed as failure:
        raise SystemExit(f"threadlab: the pages of grades fail: {failure}")
    finally:
        browser.close()


if __name__ == "__main__":
    main()
