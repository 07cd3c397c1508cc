"""A terminal of its own in tmux: keys are sent, and what the screen shows is compared."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# For a screen to show what is expected. Nothing waits longer than it must.
PATIENCE = 20.0


class Failed(Exception):
    pass


class Screen:
    """A shell in a terminal of its own."""

    count = 0

    def __init__(self, columns=80, rows=24, locale="C.UTF-8", term=None):
        Screen.count += 1
        self.socket = f"threadlab-{os.getpid()}-{Screen.count}"
        self.folder = tempfile.TemporaryDirectory()
        environment = ["env", "-i", f"PATH={os.environ['PATH']}", f"LC_ALL={locale}", "PS1=ready$ ", "TMPDIR=/tmp"]
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(rows),
                  *environment, f"TERM={term or 'screen'}", "bash", "--norc", "--noprofile")
        self.waits_for(r"ready\$")

    def tmux(self, *words):
        return subprocess.run(["tmux", "-L", self.socket, *words], check=True, capture_output=True, text=True).stdout

    def keys(self, *keys):
        self.tmux("send-keys", *keys)

    def text(self):
        return self.tmux("capture-pane", "-p")

    def waits_for(self, pattern):
        end = time.monotonic() + PATIENCE
        while True:
            text = self.text()
            if re.search(pattern, text, re.M):
                return text
            if time.monotonic() > end:
                raise Failed(f"the screen never shows {pattern!r}:\n{text}")
            time.sleep(0.02)

    def starts(self, command):
        """Runs a command between two looks at the terminal's modes."""
        self.keys(f"stty -a > {self.folder.name}/before; {command}; echo code $?; stty -a > {self.folder.name}/after",
                  "Enter")

    def ends(self, code):
        """The command has ended, and the terminal is as it was: its modes, its screen and its cursor."""
        self.waits_for(rf"^code {code}\b")
        self.waits_for(r"^code \d+\b.*\n(?:.*\n)*?.*ready\$")
        with open(f"{self.folder.name}/before") as before, open(f"{self.folder.name}/after") as after:
            # The first line has the size of the window.
            if before.readlines()[1:] != after.readlines()[1:]:
                raise Failed("the terminal's modes have changed")
        if self.tmux("display-message", "-p", "#{alternate_on} #{cursor_flag}").split() != ["0", "1"]:
            raise Failed("the screen or the cursor was not given back")
        return self.text()

    def process(self):
        """The number of the program in front."""
        shell = self.tmux("display-message", "-p", "#{pane_pid}").strip()
        return int(subprocess.run(["pgrep", "-P", shell], check=True, capture_output=True, text=True).stdout.split()[0])

    def close(self):
        subprocess.run(["tmux", "-L", self.socket, "kill-server"], capture_output=True)
        self.folder.cleanup()


def run(tests, subject, usage):
    """Runs the tests with the program that the command line names. Each gets a screen."""
    if len(sys.argv) != 2:
        sys.exit(usage)
    if shutil.which("tmux") is None:
        print(f"skipped: {subject} on a screen (no tmux: install it with 'apt-get install tmux')")
        return
    program = os.path.abspath(sys.argv[1])
    failures = 0
    for test in tests:
        screen = Screen()
        name = test.__name__.replace("_", " ")
        try:
            test(screen, program)
            print(f"passed: {name}")
        except Failed as failure:
            failures += 1
            print(f"FAILED: {name}: {failure}")
        finally:
            screen.close()
    sys.exit(1 if failures else 0)
