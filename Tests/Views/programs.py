#!/usr/bin/env python3
"""Opens pages of programs in a headless Chromium and plays them, with the keyboard alone: `make test-views`.

    programs.py THREADLAB [PICTURES]

Each goal is reached by the shortest way, and the schedule that the page then shows is replayed by threadlab. That a page
has the engine's states and moves, and the right distances, is tested in Swift.
"""

import os
import subprocess
import sys
import tempfile

import access
import wheels
from browser import Browser, program
from views import FRAME, PROBLEMS

PROGRAMS = [
    ["opposite-orders"],
    ["lost-update"],
    ["dining-philosophers", "--seats", "3"],
    ["one-condition"],
    ["bounded-buffer", "--capacity", "1"],
    ["open-choice"],
    ["spin-lock-forever"],
    ["joined-twice"],
    ["lost-wake-up", "--spurious", "1"],
]

HOSTILE = """/// <b>bold</b></script><script>document.title='broken'</script>
scenario "</script><script>document.title='broken'</script>"
mutex m
thread w[2] { lock m { note "</script><img src=x onerror=alert(1)>" } }
expect completes
"""

# What is shown of the state.
SHOWN = """(() => {
  const text = (query) => [...document.querySelectorAll(query)].filter((found) => found.getClientRects().length)
    .map((found) => found.textContent.trim()).join(" | ");
  return {
    threads: text("#threads .thread"), objects: text("#objects tbody tr"), marks: text(".code .at"),
    current: text("#lanes [aria-current=step]"), result: text("#resultTitle"), progress: text("#progress"),
  };
})()"""
SAID = "document.getElementById('said').textContent"


class Failed(Exception):
    pass


def expect(condition, message):
    if not condition:
        raise Failed(message)


def write(threadlab, words, path):
    done = subprocess.run([threadlab, "export", words[0], path, *words[1:], "--as", "page"], capture_output=True, text=True)
    expect(done.returncode == 0, f"'page {' '.join(words)}' ends with {done.returncode}: {done.stderr}")
    return path


def press(page, key):
    """A key with the text that it types, so that it also works a control that has the focus."""
    texts = {"Enter": "\r", "Space": " "}
    name = " " if key == "Space" else key
    text = texts.get(key, key if len(key) == 1 else "")
    codes = {"Enter": 13, "Space": 32, "Escape": 27, "Tab": 9, "ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35}
    code = codes.get(key, ord(key.upper()) if len(key) == 1 else 0)
    page.call("Input.dispatchKeyEvent", type="keyDown", key=name, code=key, windowsVirtualKeyCode=code, text=text)
    page.call("Input.dispatchKeyEvent", type="keyUp", key=name, code=key, windowsVirtualKeyCode=code)


def best_move(page):
    """The thread of a move that is nearer to the goal, and the place of its way among the thread's."""
    return page.run("""(() => {
      const state = lab.history.state, goal = lab.goals.goal, moves = lab.moves(state);
      const best = moves.find((move) => lab.distance(goal, move.target) === lab.distance(goal, state) - 1);
      const own = moves.filter((move) => move.thread === best.thread);
      return { thread: best.thread, way: own.indexOf(best), ways: own.length };
    })()""")


def take_best(page):
    move = best_move(page)
    press(page, str(move["thread"]) if move["thread"] >= 0 else "t")
    if move["ways"] > 1:
        expect(page.run("lab.questions.isOpen"), "a step with several ways asks nothing")
        press(page, str(move["way"] + 1))


# Of the goals that are an end of the run.
ENDS = ["deadlock", "assertion", "claim", "misuse", "error", "leak"]


def solve(page, threadlab, words):
    """Reaches each goal in the smallest number of steps, by keys."""
    for number, (name, shortest) in enumerate(page.run("lab.data.goals.map((g) => [g.name, g.distance[0]])")):
        page.run(f"(() => {{ const s = document.getElementById('goal'); s.value = {number};"
                 " s.dispatchEvent(new Event('change')); })()")
        press(page, "Home")
        for _ in range(shortest):
            expect(not page.run("document.getElementById('resultTitle').textContent.startsWith('Reached')"
                                " && !document.getElementById('result').hidden"), f"{words}: {name} is reached too soon")
            take_best(page)
        title = page.run("document.getElementById('resultTitle').textContent")
        steps = f"{shortest} step" + ("" if shortest == 1 else "s")
        expect(title == f"Reached in {steps}", f"{words}: {name} in {shortest} steps shows '{title}'")
        expect("No way is shorter" in page.run("document.getElementById('resultText').textContent"), f"{words}: not the shortest")
        expect(title in page.run(SAID), f"{words}: the end is not said")
        if name in ENDS and page.run("lab.data.hasSchedules"):
            schedule = page.run("lab.history.schedule()")
            done = subprocess.run([threadlab, "replay", *words, "--schedule", schedule], capture_output=True, text=True)
            expect(f"\n{name}: " in done.stdout, f"{words}: the schedule {schedule} of {name} does not lead there")


def walk(page, words):
    """Every way of moving shows the same state in every view."""
    press(page, "Home")
    seen = [page.run(SHOWN)]
    for _ in range(25):
        if page.run("lab.moves(lab.history.state).length") == 0:
            break
        thread = page.run("lab.moves(lab.history.state)[lab.history.position % 2 ? 0 : lab.moves(lab.history.state).length - 1].thread")
        press(page, str(thread) if thread >= 0 else "t")
        if page.run("lab.questions.isOpen"):
            press(page, "1")
        seen.append(page.run(SHOWN))
    steps = len(seen) - 1
    expect(page.run("lab.history.position") == steps, f"{words}: a step is missing")
    for box, row in [("lanes", "#lanes [aria-current=step]"), ("source", ".code .now, .code .here")]:
        hidden = page.run(f"""(() => {{
          const box = document.getElementById('{box}').getBoundingClientRect(), row = document.querySelector('{row}');
          const at = row && row.getBoundingClientRect();
          return Boolean(at) && (at.top < box.top - 1 || at.bottom > box.bottom + 1);
        }})()""")
        expect(not hidden, f"{words}: the present place in '{box}' is out of sight")
    for place in range(steps - 1, -1, -1):
        press(page, "ArrowLeft")
        expect(page.run(SHOWN)["threads"] == seen[place]["threads"], f"{words}: back at {place} it differs")
    for place in range(1, steps + 1):
        press(page, "ArrowRight")
        expect(page.run(SHOWN) == seen[place], f"{words}: forward to {place} it differs")
    press(page, "Home")
    expect(page.run("lab.history.position") == 0 and page.run("document.getElementById('back').disabled"), "Home is not the start")
    press(page, "End")
    expect(page.run(SHOWN) == seen[steps], f"{words}: End differs")
    page.run("document.querySelector('#lanes button').click()")
    expect(page.run("lab.history.position") == 1, "a row does not lead to its step")


def check_play(browser, threadlab, words, path):
    page = browser.page()
    page.open(path)
    walk(page, words)
    solve(page, threadlab, words)
    complaints = page.complaints()
    expect(not complaints, f"{words}: complaints: {complaints}")
    page.close()


def check_questions(browser, path):
    """Why, hints and predictions, on the page of two threads that take two locks."""
    page = browser.page()
    page.open(path)
    for key in "1122":
        press(page, key)
    expect(page.run("lab.end(lab.history.state).kind") == "deadlock", "two locks taken do not deadlock")
    for key, words in [("1", "first waits for b at line 10, which second holds."), ("2", "second waits for a at line")]:
        press(page, key)
        expect(words in page.run(SAID), f"why is '{page.run(SAID)}'")
    press(page, "?")
    expect("first waits" in page.run(SAID) and "second waits" in page.run(SAID), "'?' does not say both")
    press(page, "Home")
    press(page, "h")
    expect(page.run(SAID).startswith("Hint: first: then 3 more steps"), f"the hint is '{page.run(SAID)}'")
    expect(page.run("[...document.querySelectorAll('.hint')].filter((hint) => hint.textContent).length") == 2, "no hint at the threads")
    for key in "111":
        press(page, key)
    press(page, "h")
    expect("not this way" not in page.run(SAID) or "go back" in page.run(SAID), "a hint without a way back")
    expect(page.run(SAID) == "Hint: the goal cannot be reached from here: go back.", f"the hint is '{page.run(SAID)}'")
    press(page, "Home")
    press(page, "p")
    expect("lock" not in page.run("document.getElementById('threads').textContent"), "a step is shown before the prediction")
    press(page, "1")
    expect(page.run("lab.questions.isOpen") and page.run("lab.history.position") == 0, "no question before the step")
    expect(page.run("document.activeElement.closest('#question') !== null"), "the question has not the focus")
    press(page, "Escape")
    expect(page.run("lab.history.position") == 0 and not page.run("lab.questions.isOpen"), "Escape does not withdraw")
    press(page, "1")
    for key in ["1", "2", "Enter"]:
        press(page, key)
    expect(page.run(SAID).startswith("Right: first and second can step"), f"the answer is '{page.run(SAID)}'")
    press(page, "2")
    expect("Can the goal still be reached" in page.run("document.getElementById('questionText').textContent"), "no second kind of question")
    press(page, "Tab")
    press(page, "Enter")
    expect(page.run(SAID).startswith("No: it still can be reached"), f"the answer is '{page.run(SAID)}'")
    expect(page.run("document.getElementById('score').textContent") == "1 of 2 predictions right", "the score is wrong")
    press(page, "p")
    # With Tab and Enter alone: the first control after those of the bar is a thread.
    page.run("document.getElementById('large').focus()")
    press(page, "Tab")
    before = page.run("lab.history.position")
    press(page, "Enter")
    expect(page.run("lab.history.position") == before + 1, "Enter on a thread takes no step")
    expect(not page.complaints(), f"complaints: {page.complaints()}")
    page.close()


def check_sizes(browser, path):
    page = browser.page(390, 844)
    page.open(path)
    room = page.run("""[...document.querySelectorAll('.thread')].filter((found) => found.getClientRects().length)
      .map((found) => found.getBoundingClientRect()).map((box) => [box.height, box.bottom])""")
    expect(all(height >= 44 for height, _ in room), f"threads are too small for a finger: {room}")
    expect(room[0][1] < 844, "no thread can be seen on a phone")
    for _ in range(4):
        page.run("[...document.querySelectorAll('.thread.ready')].find((found) => found.getClientRects().length)?.click()")
        expect(page.run("document.documentElement.scrollWidth <= innerWidth"), "wider than a phone")
    expect(not page.complaints(), f"complaints: {page.complaints()}")
    page.close()
    page = browser.page(1920, 1080)
    page.open(path)
    press(page, "l")
    page.run(FRAME)
    expect(page.run("parseFloat(getComputedStyle(document.querySelector('.thread .name')).fontSize)") >= 24, "too small for a projector")
    for part in ["source", "threads"]:
        top = page.run(f"document.getElementById('{part}').getBoundingClientRect().top")
        expect(top < 300, f"'{part}' begins only at {top} of 1080 pixels")
    page.close()
    page = browser.page()
    page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
    page.open(path)
    expect(page.run("getComputedStyle(document.querySelector('.thread')).transitionDuration") == "0s", "it moves nevertheless")
    page.close()


LOOKS = [(1280, 800, False, ""), (1280, 800, True, ""), (390, 844, False, ""), (390, 844, True, ""), (1920, 1080, False, "l")]


def check_looks(browser, paths, pictures):
    folder = wheels.folder()
    script = access.script(folder) if folder else None
    if script is None:
        print("skipped: axe-core's rules of accessibility (they cannot be fetched from PyPI with pip)")
    advice = set()
    for index, path in enumerate(paths):
        for width, height, dark, key in LOOKS:
            page = browser.page(width, height, dark)
            page.open(path)
            if key:
                press(page, key)
            for stage in ["start", "hint", "question", "end"]:
                if stage == "hint":
                    page.run("lab.history.take(lab.moves(0)[0])")
                    press(page, "h")
                elif stage == "question":
                    press(page, "p")
                    page.run("lab.controls.choose(lab.moves(lab.history.state)[0].thread)")
                elif stage == "end":
                    press(page, "Escape")
                    press(page, "p")
                    page.run("(() => { let m; while ((m = lab.moves(lab.history.state)[0]) && lab.history.position < 60) lab.history.take(m); })()")
                page.run("new Promise((done) => setTimeout(done, 300))")
                problems = page.run(PROBLEMS)
                expect(not problems, f"{path} at {width}, {stage}: {problems[:5]}")
                if script:
                    grave, others = access.violations(page, script)
                    expect(not grave, f"{path} at {width}, {stage}: {grave}")
                    advice.update(others)
                if pictures:
                    page.picture(os.path.join(pictures, f"program-{index + 1}-{width}{'-dark' if dark else ''}-{stage}.png"))
            page.close()
    for text in sorted(advice):
        print(f"axe-core's advice: {text}")


def check_hostile(browser, threadlab, folder):
    path = os.path.join(folder, "hostile.lab")
    with open(path, "w") as file:
        file.write(HOSTILE)
    page = browser.page()
    page.open(write(threadlab, [path], os.path.join(folder, "hostile.html")))
    for key in "1111222":
        press(page, key)
    expect("broken" != page.run("document.title"), "a text became code")
    expect(page.run("document.images.length") == 0, "a text became an image")
    expect(not page.complaints(), f"complaints: {page.complaints()}")
    page.close()


def main():
    threadlab = os.path.abspath(sys.argv[1])
    pictures = sys.argv[2] if len(sys.argv) > 2 else None
    if pictures:
        os.makedirs(pictures, exist_ok=True)
    if program() is None:
        print("skipped: pages of programs in a browser (no Chromium: install it with 'apt-get install chromium')")
        return
    browser = Browser()
    try:
        with tempfile.TemporaryDirectory() as folder:
            paths = [write(threadlab, words, os.path.join(folder, f"{i}.html")) for i, words in enumerate(PROGRAMS)]
            for words, path in zip(PROGRAMS, paths):
                check_play(browser, threadlab, words, path)
            check_questions(browser, paths[0])
            check_sizes(browser, paths[2])
            check_looks(browser, paths[:5], pictures)
            check_hostile(browser, threadlab, folder)
            print(f"{len(paths) + 1} pages of programs work")
    except Failed as failure:
        raise SystemExit(f"threadlab: a page of a program fails: {failure}")
    finally:
        browser.close()


if __name__ == "__main__":
    main()
