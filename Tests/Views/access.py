"""axe-core's rules of accessibility."""

import os

SCRIPT = "axe_playwright_python/axe.min.js"
# What keeps people from using a page. Lesser advice is printed.
GRAVE = ["serious", "critical"]


def script(folder):
    with open(os.path.join(folder, SCRIPT)) as file:
        return file.read()


def violations(page, script):
    """The grave problems of the page, and lesser ones."""
    page.run(script + "\n;undefined")
    found = page.run("""axe.run(document, {resultTypes: ["violations"]}).then((result) => result.violations.map((rule) =>
      [rule.impact, `${rule.id}: ${rule.help}: ` + rule.nodes.slice(0, 3).map((node) => node.html.slice(0, 90)).join(" ")]))""")
    grave = [text for impact, text in found if impact in GRAVE]
    return grave, [text for impact, text in found if impact not in GRAVE]
