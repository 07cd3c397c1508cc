#!/usr/bin/env python3
"""The stepper on a terminal's screen: sends keys to tmux, and compares what the screen shows.

Usage: play.py THREADLAB. Without tmux nothing is tested, and the script says so.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DEADLOCK = os.path.join(ROOT, "scenarios/deadlock/opposite-orders.lab")
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
        self.waits_for(rf"^code {code}\s*$")
        self.waits_for(r"^code \d+\s*\n(?:.*\n)*?.*ready\$")
        with open(f"{self.folder.name}/before") as before, open(f"{self.folder.name}/after") as after:
            # The first line has the size of the window.
            if before.readlines()[1:] != after.readlines()[1:]:
                raise Failed("the terminal's modes have changed")
        if self.tmux("display-message", "-p", "#{alternate_on} #{cursor_flag}").split() != ["0", "1"]:
            raise Failed("the screen or the cursor was not given back")

    def process(self):
        """The number of the program in front."""
        shell = self.tmux("display-message", "-p", "#{pane_pid}").strip()
        return int(subprocess.run(["pgrep", "-P", shell], check=True, capture_output=True, text=True).stdout.split()[0])

    def close(self):
        subprocess.run(["tmux", "-L", self.socket, "kill-server"], capture_output=True)
        self.folder.cleanup()


def a_person_steps_into_a_deadlock_and_out_again(screen, program):
    screen.starts(f"{program} play {DEADLOCK}")
    screen.waits_for(r"step 0 of 0")
    for key, shown in [("1", "Step 1: first: start"), ("1", r"Step 2: first: lock a \(line 10\)"),
                       ("2", "Step 3: second: start"), ("2", "The run has ended: deadlock")]:
        screen.keys(key)
        screen.waits_for(shown)
    screen.keys("?")
    text = screen.waits_for(r"first waits for b at line 10, which second holds since line 13\.")
    for part in [r"2>14 ", r"a: held by first, awaited by second", r"second  waits for a", r"blocked forever"]:
        if not re.search(part, text):
            raise Failed(f"not on the screen: {part!r}\n{text}")
    screen.keys("Left")
    screen.waits_for(r"step 3 of 4")
    screen.keys("h")
    screen.waits_for(r"2 second: leads to 'deadlock' at once")
    screen.keys("1")
    screen.waits_for(r"step 4 of 4")
    screen.keys("r")
    screen.waits_for("Finding: ")
    screen.keys(":", "run until end", "Enter")
    screen.waits_for("The run has ended: completed")
    screen.keys("Home")
    screen.waits_for("step 0 of ")
    screen.keys("s")
    screen.waits_for("No step has been taken")
    screen.keys(":", "goto 2", "Enter")
    screen.waits_for("step 2 of ")
    screen.keys("q")
    screen.ends(0)


def predict_mode_asks(screen, program):
    screen.starts(f"{program} play {DEADLOCK} --schedule 1x2,2")
    screen.waits_for("step 0 of ")
    screen.keys("p")
    screen.waits_for("Predict mode is on")
    screen.keys("Right")
    screen.waits_for("Which thread takes step 1")
    screen.keys("2")
    screen.waits_for("No: 1 first")
    screen.keys("q")
    screen.ends(0)


def a_signal_ends_it_and_the_terminal_is_given_back(screen, program):
    for number, code in [(2, 130), (15, 143), (1, 129)]:
        screen.keys("clear", "Enter")
        screen.starts(f"{program} play {DEADLOCK}")
        screen.waits_for("step 0 of 0")
        if number == 2:
            screen.keys("C-c")
        else:
            os.kill(screen.process(), number)
        screen.ends(code)


def a_crash_of_threadlab_gives_the_terminal_back(screen, program):
    screen.starts(f"{program} play {DEADLOCK} 2> /dev/null")
    screen.waits_for("step 0 of 0")
    os.kill(screen.process(), 11)
    screen.ends(139)


def a_window_that_changes_its_size_is_filled(screen, program):
    screen.starts(f"{program} play {DEADLOCK}")
    screen.waits_for("step 0 of 0")
    for columns, rows in [(150, 50), (40, 12), (20, 4), (100, 30)]:
        screen.tmux("resize-window", "-x", str(columns), "-y", str(rows))
        # The title fills the first line, in reverse.
        screen.waits_for(r"\A.{0,19}")
        screen.keys("?")
        end = time.monotonic() + PATIENCE
        while len(screen.text().splitlines()) != rows and time.monotonic() < end:
            time.sleep(0.02)
        if screen.tmux("display-message", "-p", "#{pane_dead}").strip() == "1":
            raise Failed("it has ended")
    screen.waits_for(r"q quit")
    screen.keys("q")
    screen.ends(0)


def without_utf8_everything_is_ascii(screen, program):
    screen.starts(f"LC_ALL=C {program} play {DEADLOCK} --schedule 1x2,2x2")
    screen.waits_for("step 0 of ")
    screen.keys("End")
    text = screen.waits_for("The run has ended: deadlock")
    if not text.isascii():
        raise Failed(f"not ASCII:\n{text}")
    screen.keys("q")
    screen.ends(0)


def a_terminal_that_knows_nothing_has_a_conversation(screen, program):
    screen.starts(f"TERM=dumb {program} play {DEADLOCK}")
    screen.waits_for(r"^>")
    screen.keys("1", "Enter")
    screen.waits_for("Step 1: first: start")
    screen.keys("C-d")
    screen.ends(0)


TESTS = [
    a_person_steps_into_a_deadlock_and_out_again, predict_mode_asks, a_signal_ends_it_and_the_terminal_is_given_back,
    a_crash_of_threadlab_gives_the_terminal_back, a_window_that_changes_its_size_is_filled,
    without_utf8_everything_is_ascii, a_terminal_that_knows_nothing_has_a_conversation,
]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if shutil.which("tmux") is None:
        print("skipped: the stepper on a screen (no tmux: install it with 'apt-get install tmux')")
        return
    program = os.path.abspath(sys.argv[1])
    failures = 0
    for test in TESTS:
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


main()
