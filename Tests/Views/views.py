#!/usr/bin/env python3
"""Opens pages of runs in a headless Chromium and uses them: `make test-views`.

    views.py THREADLAB [PICTURES]

axe-core is fetched from PyPI. Without it the pages are examined by fewer rules, and without Chromium not at all;
the script says so.

The states in a page are compared with the trace's by Swift tests. Here: that a page loads without complaints and asks
for nothing, that each way of moving shows the same step in every view, and that a long run stays fluent.
"""

import os
import subprocess
import sys
import tempfile
import time

import access
import wheels
from browser import Browser, program

PROGRAMS = [
    ["run", "deadlock", "--seed", "1"],
    ["run", "deadlock", "--variant", "philosophers", "--seed", "2"],
    ["run", "producer-consumer", "--seed", "16", "--variant", "if-for-while"],
    ["run", "producer-consumer"],
    ["explore", "lost-update"],
    ["run", "bounded-buffer", "--seed", "3"],
]

LONG = """scenario "long"
mutex m
shared count = 0
atomic turn = 0
thread worker[4] { repeat 500 { lock m { count = count + 1 }; turn.store(index) } }
finally { assert count == 2000 }
expect completes
"""

DINNER = """scenario "dinner"
mutex fork[5]
thread philosopher[5] {
    lock fork[index] { lock fork[(index + 1) % 5] { } }
}
expect completes
"""

HOSTILE = """scenario "</script><script>document.title='broken'</script>"
mutex m
thread w { lock m { note "</script><img src=x onerror=alert(1)>" } }
expect completes
"""

# What each view shows of the step.
VIEWS = """(() => {
  const text = (query) => [...document.querySelectorAll(query)].map((found) => found.textContent).join(" | ");
  const row = document.querySelector("#canvas rect.row.now");
  return {
    slider: Number(document.getElementById("slider").value),
    spoken: document.getElementById("slider").getAttribute("aria-valuetext"),
    position: document.getElementById("position").textContent,
    now: document.getElementById("now").textContent,
    row: row ? Number(row.dataset.step) : 0,
    thread: text("#threads tr.now th"),
    threads: text("#threads tbody tr"),
    objects: text("#objects tbody tr"),
    line: text(".code .now .who"),
  };
})()"""
FRAME = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
LEAST_CONTRAST = 4.5

# The contrast of each text with what is behind it, by WCAG's formula; and controls without a name.
PROBLEMS = """(() => {
  const found = [];
  const channels = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [.2126, .7152, .0722][i], 0);
  const back = (element) => {
    for (; element; element = element.parentElement) {
      const color = channels(getComputedStyle(element).backgroundColor);
      if (color.length < 4 || color[3] > 0) return color;
    }
    return [255, 255, 255];
  };
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!own || !element.getClientRects().length || element.disabled || /script|style/i.test(element.tagName)) continue;
    const style = getComputedStyle(element);
    const isDrawn = element instanceof SVGElement;
    const [a, b] = [light(channels(isDrawn ? style.fill : style.color)), light(back(isDrawn ? element.ownerSVGElement : element))];
    const contrast = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (contrast < LEAST) found.push("contrast " + contrast.toFixed(2) + ": " + element.textContent.slice(0, 40));
  }
  for (const control of document.querySelectorAll("button, input, [role=region], [role=group], [role=img]")) {
    const name = control.getAttribute("aria-label") || control.getAttribute("aria-labelledby") || control.textContent
      || (control.labels && control.labels.length);
    if (!name) found.push("no name: " + control.outerHTML.slice(0, 80));
  }
  const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
  if (new Set(ids).size !== ids.length) found.push("an id occurs twice");
  if (document.documentElement.scrollWidth > innerWidth) found.push("wider than the window: " + document.documentElement.scrollWidth);
  return found;
})()""".replace("LEAST", str(LEAST_CONTRAST))


class Failed(Exception):
    pass


def expect(condition, text):
    if not condition:
        raise Failed(text)


def write(threadlab, command, folder, name):
    path = os.path.join(folder, name)
    subprocess.run([threadlab, *command, "--html", path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    expect(os.path.exists(path), f"no page of {' '.join(command)}")
    return path


def index(threadlab, folder):
    """The index of a check, with failures."""
    results = os.path.join(folder, "results")
    subprocess.run([threadlab, "check", "--builtin", "--filter", "deadlock/ring", "--html", results],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    path = os.path.join(results, "index.html")
    expect(os.path.exists(path), "no index of a check")
    return path


def views(page):
    page.run(FRAME)
    shown = page.run(VIEWS)
    step = shown["slider"]
    expect(shown["row"] == step, f"the lanes show row {shown['row']}, the slider {step}")
    expect(shown["position"].startswith(f"{step} of "), f"position '{shown['position']}' at step {step}")
    expect(shown["now"] == shown["spoken"], "the slider and the live region say different things")
    expect(step == 0 or shown["now"].startswith(f"Step {step} of "), shown["now"])
    return shown


def moves(page):
    """The same step looks the same, whichever way leads to it."""
    page.press("Home")
    steps = page.run("Number(document.getElementById('slider').max)")
    by_key = [views(page)]
    for _ in range(min(steps, 60)):
        page.press("ArrowRight")
        by_key.append(views(page))
    expect([shown["slider"] for shown in by_key] == list(range(len(by_key))), "a key skips a step")
    for step in range(len(by_key) - 1, -1, -7):
        page.run(f"(() => {{ const s = document.getElementById('slider'); s.value = {step};"
                 " s.dispatchEvent(new Event('input')); })()")
        expect(views(page) == by_key[step], f"step {step} differs when the slider leads to it")
    page.press("End")
    expect(views(page)["slider"] == steps, "End does not lead to the end")
    page.press("PageUp")
    expect(views(page)["slider"] == max(0, steps - 10), "PageUp is not ten steps")
    page.press("ArrowLeft")
    page.press("PageDown")
    expect(views(page)["slider"] == min(steps, max(0, steps - 11) + 10), "PageDown is not ten steps")
    page.run("document.getElementById('first').click()")
    expect(views(page) == by_key[0], "the start differs")
    page.run("document.querySelector('#canvas rect.row').parentElement.dispatchEvent(new MouseEvent('click',"
             "{bubbles: true, clientX: 100, clientY: document.getElementById('canvas').getBoundingClientRect().top + 30}))")
    expect(views(page) == by_key[2], "a click on the second row does not show it")


def opening(page, title):
    """A page opens at its finding, named like the program, and its words are for people."""
    shown = views(page)
    steps = page.run("Number(document.getElementById('slider').max)")
    told = page.run("JSON.parse(document.getElementById('run').textContent).findings.map((f) => f.steps)"
                    ".filter((list) => list.length)")
    wanted = max(told[0]) if told else steps
    expect(shown["slider"] == wanted, f"it opens at step {shown['slider']}, not at {wanted}")
    expect(page.run("document.querySelector('h1').textContent") == title, "the title is not the program's name")
    first = page.run("document.querySelector('.views > :not([hidden])').id")
    expect(first == "findingsSection" or not told, "what was found does not come first")
    words = page.run("document.querySelector('.details').textContent + ' ' + document.getElementById('objects').textContent")
    for word in ["controlled", "native", "cell"]:
        expect(word not in words.split(), f"'{word}' is not explained")
    page.press("Home")


def check_small(browser, path):
    """On a phone each row says what happens; on a projector there is room for the program."""
    page = browser.page(390, 844)
    page.open(path)
    opening(page, "dinner")
    texts = page.run("""(() => {
      const right = document.getElementById("scroller").getBoundingClientRect().right;
      return [...document.querySelectorAll("#canvas text.words")].map((text) => right - text.getBoundingClientRect().left);
    })()""")
    expect(texts and min(texts) > 150, f"the rows have only {min(texts)} pixels for what happens")
    expect(page.run("document.documentElement.scrollWidth <= innerWidth"), "wider than a phone")
    free = page.run("[...document.querySelectorAll('#objects tbody tr')].map((row) => row.cells[2].textContent)")
    expect(free == ["free"] * 5, f"a free mutex shows {free}")
    page.close()
    page = browser.page(1280, 800)
    page.open(path)
    page.run("document.getElementById('projector').click()")
    page.press("End")
    page.run(FRAME)
    for part in ["source", "scroller"]:
        room = page.run(f"innerHeight - document.getElementById('{part}').getBoundingClientRect().top")
        expect(room > 400, f"large type leaves {room} of 800 pixels for '{part}'")
    expect(not page.complaints(), f"complaints: {page.complaints()}")
    page.close()


def filters(page):
    page.press("End")
    height = "parseFloat(document.getElementById('canvas').style.height)"
    whole = page.run(height)
    page.run("document.querySelectorAll('#threadChoices input')[1].click()")
    page.run(FRAME)
    expect(page.run(height) < whole, "a hidden thread's steps are shown")
    expect(page.run("document.querySelectorAll('#threads tbody tr')[1].hidden"), "a hidden thread is in the table")
    page.press("ArrowLeft")
    page.run("document.getElementById('everything').click()")
    page.run(FRAME)
    expect(page.run(height) == whole, "steps are missing")


def check_page(browser, path):
    page = browser.page()
    page.open(path)
    moves(page)
    filters(page)
    complaints = page.complaints()
    expect(not complaints, f"complaints: {complaints}")
    page.close()


def check_looks(browser, paths, pictures):
    for index, path in enumerate(paths):
        for width, height, dark in [(1280, 800, False), (1920, 1080, True), (420, 900, False)]:
            page = browser.page(width, height, dark)
            page.open(path)
            page.press("End")
            page.run(FRAME)
            problems = page.run(PROBLEMS)
            expect(not problems, f"{path} at {width}: {problems[:5]}")
            if pictures:
                page.picture(os.path.join(pictures, f"page-{index + 1}-{width}.png"))
            page.close()
        page = browser.page(1280, 720)
        page.open(path)
        page.run("document.getElementById('projector').click()")
        page.press("PageDown")
        page.run(FRAME)
        expect(page.run("document.getElementById('projector').getAttribute('aria-pressed')") == "true", "not large")
        if pictures:
            page.picture(os.path.join(pictures, f"page-{index + 1}-large.png"))
        page.close()


def check_access(browser, paths):
    """axe-core's rules, in both colors and large type."""
    folder = wheels.folder()
    if folder is None:
        print("skipped: axe-core's rules of accessibility (they cannot be fetched from PyPI with pip)")
        return
    script = access.script(folder)
    advice = set()
    for path in paths:
        for dark, isLarge in [(False, False), (True, False), (False, True)]:
            page = browser.page(1280, 800, dark)
            page.open(path)
            if isLarge:
                page.run("document.getElementById('projector')?.click()")
            page.press("End")
            page.run(FRAME)
            grave, others = access.violations(page, script)
            expect(not grave, f"{path}, {'dark' if dark else 'light'}: {grave}")
            advice.update(others)
            page.close()
    for text in sorted(advice):
        print(f"axe-core's advice: {text}")
    print(f"axe-core finds no serious problem in {len(paths)} pages")


def check_long(browser, path):
    page = browser.page()
    begin = time.monotonic()
    page.open(path)
    opened = time.monotonic() - begin
    steps = page.run("Number(document.getElementById('slider').max)")
    expect(steps >= 10_000, f"only {steps} steps")
    begin = time.monotonic()
    page.run("""(async () => {
      const slider = document.getElementById("slider");
      for (let i = 0; i < 100; i++) {
        slider.value = (i * 7919) % Number(slider.max);
        slider.dispatchEvent(new Event("input"));
      }
    })()""")
    step = (time.monotonic() - begin) / 100
    expect(page.run("document.querySelectorAll('#canvas svg *').length") < 2_000, "rows that cannot be seen are drawn")
    size = os.path.getsize(path) // 1024
    print(f"{steps} steps: {size} KB, opened in {opened * 1000:.0f} ms, a step in {step * 1000:.1f} ms")
    expect(not page.complaints(), f"complaints: {page.complaints()}")
    page.close()


def check_hostile(browser, path):
    page = browser.page()
    page.open(path)
    expect(page.run("document.title") != "broken", "a program's text ran as a script")
    expect(page.run("document.querySelectorAll('img').length") == 0, "a program's text became an element")
    expect(page.run("document.querySelectorAll('#canvas rect.row').length") > 0, "nothing is drawn")
    expect(not page.complaints(), f"complaints: {page.complaints()}")
    page.close()


def main():
    threadlab = os.path.abspath(sys.argv[1])
    pictures = sys.argv[2] if len(sys.argv) > 2 else None
    if pictures:
        os.makedirs(pictures, exist_ok=True)
    if program() is None:
        print("skipped: pages in a browser (no Chromium: install it with 'apt-get install chromium')")
        return
    browser = Browser()
    try:
        with tempfile.TemporaryDirectory() as folder:
            paths = [write(threadlab, command, folder, f"{i}.html") for i, command in enumerate(PROGRAMS)]
            for text, name in [(LONG, "long"), (HOSTILE, "hostile"), (DINNER, "dinner")]:
                with open(os.path.join(folder, f"{name}.lab"), "w") as file:
                    file.write(text)
            long = write(threadlab, ["run", os.path.join(folder, "long.lab"), "--seed", "1"], folder, "long.html")
            hostile = write(threadlab, ["run", os.path.join(folder, "hostile.lab"), "--seed", "1"], folder, "h.html")
            check_small(browser, write(threadlab, ["explore", os.path.join(folder, "dinner.lab")], folder, "dinner.html"))
            for path in paths:
                check_page(browser, path)
            check_looks(browser, paths[:3], pictures)
            check_access(browser, paths[:3] + [hostile, index(threadlab, folder)])
            check_long(browser, long)
            check_hostile(browser, hostile)
            print(f"{len(paths) + 3} pages work")
    except Failed as failure:
        raise SystemExit(f"threadlab: a page fails: {failure}")
    finally:
        browser.close()


if __name__ == "__main__":
    main()
