#!/usr/bin/env python3
"""Takes the course as a site in a headless Chromium, with the keyboard alone: `make test-views`.

    site.py THREADLAB [PICTURES]

Each question is answered right and then seen to be right, each level is solved by the shortest way, each link leads to a
page, and the score is kept. That the answers are right is tested in Swift.
"""

import os
import subprocess
import sys
import tempfile

import access
import wheels
from browser import Browser, program
from programs import Failed, expect, press, take_best
from views import PROBLEMS

LOOKS = [(1280, 800, False), (390, 844, True), (1920, 1080, False)]

LINKS = "[...document.querySelectorAll('a')].map((a) => a.getAttribute('href'))"


def write(threadlab, folder):
    site = os.path.join(folder, "site")
    done = subprocess.run([threadlab, "learn", "--site", site], capture_output=True, text=True)
    expect(done.returncode == 0, f"'learn --site' ends with {done.returncode}: {done.stderr}")
    return site


def files(site):
    return sorted(os.path.join(path, name) for path, _, names in os.walk(site) for name in names)


def answer(page, path):
    """Answers each question with exactly the right options, by keys, and then one of them wrong."""
    questions = page.run("document.querySelectorAll('.question').length")
    for number in range(questions):
        form = f"document.querySelectorAll('.question')[{number}]"
        page.run(f"{form}.querySelector('input').focus()")
        for index, is_right in enumerate(page.run(f"[...{form}.querySelectorAll('input')].map((i) => i.dataset.right === 'true')")):
            page.run(f"{form}.querySelectorAll('input')[{index}].focus()")
            if is_right:
                press(page, "Space")
        page.run(f"{form}.querySelector('button').focus()")
        press(page, "Enter")
        verdict = page.run(f"{form}.querySelector('.verdict').textContent")
        expect(verdict == "Right.", f"{path}: question {number + 1}, answered right, says '{verdict}'")
        expect(page.run(f"{form}.querySelector('.answer').open"), f"{path}: the answer is not shown")
    if questions:
        form = "document.querySelector('.question')"
        page.run(f"({form}.querySelector('input[data-right=false]') || {form}.querySelector('input')).click()")
        page.run(f"{form}.requestSubmit()")
        expect(page.run(f"{form}.querySelector('.verdict').textContent") == "Not quite.", f"{path}: a wrong answer is right")
    return questions


def check_lesson(browser, path):
    page = browser.page()
    page.open(path)
    questions = answer(page, path)
    expect(questions >= 2, f"{path}: a lesson has at least two questions, and this one {questions}")
    complaints = page.complaints()
    expect(not complaints, f"{path}: complaints: {complaints}")
    page.close()


def check_level(browser, path):
    page = browser.page()
    page.open(path)
    shortest = page.run("lab.data.goals[0].distance[0]")
    for _ in range(shortest):
        take_best(page)
    title = page.run("document.getElementById('resultTitle').textContent")
    expect(title == f"Level solved in {shortest} steps", f"{path}: after {shortest} steps it says '{title}'")
    expect(not page.complaints(), f"{path}: complaints: {page.complaints()}")
    page.close()


def check_links(browser, site):
    for path in files(site):
        page = browser.page()
        page.open(path)
        for link in page.run(LINKS):
            if link.startswith("https://"):
                continue
            target = os.path.normpath(os.path.join(os.path.dirname(path), link.split("#")[0]))
            expect(os.path.isfile(target), f"{path}: the link '{link}' leads nowhere")
        page.close()


def check_score(browser, site):
    """What was answered on a lesson's page is seen on the first page."""
    page = browser.page()
    page.open(os.path.join(site, "two-threads", "index.html"))
    answer(page, "two-threads")
    page.open(os.path.join(site, "index.html"))
    score = page.run("document.querySelector('[data-score=two-threads]').textContent")
    count = page.run("document.querySelector('[data-score=two-threads]').dataset.questions")
    expect(score == f"{count} of {count} right", f"the score is '{score}'")
    page.close()


def check_looks(browser, paths, pictures):
    folder = wheels.folder()
    script = access.script(folder) if folder else None
    if script is None:
        print("skipped: axe-core's rules of accessibility (they cannot be fetched from PyPI with pip)")
    advice = set()
    for index, path in enumerate(paths):
        for width, height, dark in LOOKS:
            page = browser.page(width, height, dark)
            page.open(path)
            for stage in ["start", "end"]:
                if stage == "end":
                    answer(page, path)
                    page.run("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
                problems = page.run(PROBLEMS)
                expect(not problems, f"{path} at {width}, {stage}: {problems[:5]}")
                expect(page.run("document.documentElement.scrollWidth <= innerWidth"), f"{path}: wider than {width}")
                if script:
                    grave, others = access.violations(page, script)
                    expect(not grave, f"{path} at {width}, {stage}: {grave}")
                    advice.update(others)
                if pictures:
                    page.picture(os.path.join(pictures, f"site-{index + 1}-{width}{'-dark' if dark else ''}-{stage}.png"))
            page.close()
    for text in sorted(advice):
        print(f"axe-core's advice: {text}")


def main():
    threadlab = os.path.abspath(sys.argv[1])
    pictures = sys.argv[2] if len(sys.argv) > 2 else None
    if pictures:
        os.makedirs(pictures, exist_ok=True)
    if program() is None:
        print("skipped: the course in a browser (no Chromium: install it with 'apt-get install chromium')")
        return
    browser = Browser()
    try:
        with tempfile.TemporaryDirectory() as folder:
            site = write(threadlab, folder)
            paths = files(site)
            lessons = [path for path in paths if os.path.basename(path) == "index.html" and os.path.dirname(path) != site]
            levels = [path for path in paths if os.path.basename(path) != "index.html"]
            expect(len(lessons) >= 12 and len(levels) >= 4, f"{len(lessons)} lessons and {len(levels)} levels")
            for path in paths:
                expect(os.path.getsize(path) < 400_000, f"{path} has {os.path.getsize(path)} bytes")
            for path in lessons:
                check_lesson(browser, path)
            for path in levels:
                check_level(browser, path)
            check_links(browser, site)
            check_score(browser, site)
            check_looks(browser, [os.path.join(site, "index.html")] + lessons[:2], pictures)
            print(f"{len(lessons)} lessons and {len(levels)} levels work")
    except Failed as failure:
        raise SystemExit(f"threadlab: the course's site fails: {failure}")
    finally:
        browser.close()


if __name__ == "__main__":
    main()
