#!/usr/bin/env python3
"""The stepper on a terminal's screen: sends keys to tmux, and compares what the screen shows.

Usage: play.py THREADLAB. Without tmux nothing is tested, and the script says so.
"""

import os
import pty
import re
import signal
import time

from screen import PATIENCE, ROOT, Failed, run

DEADLOCK = os.path.join(ROOT, "scenarios/deadlock/opposite-orders.lab")
SIGNAL = os.path.join(ROOT, "scenarios/conditions/one-signal-for-two.lab")
DINNER = """scenario "dinner"
mutex fork[5]
thread philosopher[5] {
    lock fork[index] {
        lock fork[(index + 1) % 5] { }
    }
}
expect deadlock
"""
LARGE = """scenario "large"
shared count[6] = 0
mutex m
thread worker[6] { repeat 50 { lock m { count[index] = count[index] + 1 } } }
expect completes
"""
CRASH = [("0", "Step 1: main: create thread 1"), ("0", "Step 2: main: create thread 2"),
         ("2", "Step 3: thread 2: start"), ("2", "The run has ended: crash")]


def a_person_steps_into_a_deadlock_and_out_again(screen, program):
    screen.starts(f"{program} play {DEADLOCK}")
    screen.waits_for(r"step 0 of 0")
    for key, shown in [("1", "Step 1: first: start, and comes to line 10"), ("1", r"Step 2: first: lock a \(line 10\)"),
                       ("2", "Step 3: second: start"), ("2", "The run has ended: deadlock")]:
        screen.keys(key)
        screen.waits_for(shown)
    screen.keys("?")
    text = screen.waits_for(r"first waits for b at line 10, which second holds since line 13\.")
    for part in [r"2>14 ", r"a: held by first, awaited by", r"second  waits for a", r"blocked forever"]:
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
    text = screen.ends(0)
    for part in ["The run that you stepped to its end: ", "Replay: threadlab replay "]:
        if part not in text:
            raise Failed(f"not left behind: {part!r}\n{text}")


def a_question_stays_until_it_is_answered_or_withdrawn(screen, program):
    screen.starts(f"{program} play {SIGNAL} --schedule 1x4,2x4,3x3")
    screen.waits_for("step 0 of ")
    screen.keys("End")
    screen.waits_for("Can step: 3 keeper")
    for key, shown in [("3", r"2: it wakes visitor\[1\]"), ("7", "(?s)Type 1 or 2.*Type 1 or 2"),
                       ("Left", "First the answer"), ("h", "First the answer"), ("?", "visitor.0. waits for a signal"),
                       ("Escape", "No step was taken"), ("3", "1: it wakes"), ("2", "step 12 of 12")]:
        screen.keys(key)
        screen.waits_for(shown)
    screen.keys("C-c")
    if "Continue: threadlab play " not in screen.ends(130):
        raise Failed("the run is lost")


def five_threads_fit_an_ordinary_screen(screen, program):
    path = os.path.join(screen.folder.name, "dinner.lab")
    with open(path, "w") as file:
        file.write(DINNER)
    screen.starts(f"{program} play {path}")
    screen.waits_for("step 0 of 0")
    for thread in range(1, 6):
        screen.keys(str(thread), str(thread))
        text = screen.waits_for(f"step {2 * thread} of ")
    for part in [r"- 1 \S+: waits fork\[1\]<-2, holds fork\[0\]$", r"- 5 \S+: waits fork\[0\]<-1, holds fork\[4\]$",
                 r"fork\[4\]: held by 5, 4 waits", r"1-5>5 ", r"\(\d+ more lines: Space\)"]:
        if not re.search(part, text, re.M):
            raise Failed(f"not on the screen: {part!r}\n{text}")
    if "0 main" in text:
        raise Failed(f"main only waits for the others\n{text}")
    screen.keys("Space")
    screen.waits_for("If every thread took these locks in the same order")
    screen.keys("q")
    screen.ends(0)


def the_source_can_be_read(screen, program):
    screen.tmux("resize-window", "-x", "80", "-y", "14")
    screen.starts(f"{program} play {SIGNAL}")
    screen.waits_for("step 0 of 0")
    for _ in range(30):
        screen.keys("Down")
    screen.waits_for("finally|expect")
    for _ in range(30):
        screen.keys("Up")
    screen.waits_for(r"^ +1 \S")
    screen.keys("1")
    screen.waits_for(r"1>13 ")
    screen.keys("q")
    screen.ends(0)


def colors_are_used_where_they_are_wanted(screen, program):
    for setting, wanted in [("TERM=xterm-256color", True), ("TERM=xterm-256color NO_COLOR=1", False),
                            ("TERM=vt100", False)]:
        screen.keys("clear", "Enter")
        screen.starts(f"env {setting} {program} play {DEADLOCK}")
        screen.waits_for("step 0 of 0")
        colored = re.search("\x1b\\[[0-9;]*3[1-6]m", screen.tmux("capture-pane", "-p", "-e"))
        if bool(colored) != wanted:
            raise Failed(f"colors with {setting}: {bool(colored)}")
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
    screen.waits_for(r"No, it is 1 \(first\)")
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


def a_scenario_that_crashes_ends_a_run_not_the_stepper(screen, program):
    plugin = os.path.join(os.path.dirname(program), "lab-plugin")
    if not os.path.exists(plugin):
        print("skipped: no program with a scenario that crashes (build the product lab-plugin)")
        return
    screen.starts(f"{plugin} play mishap --variant crash")
    screen.waits_for("step 0 of 0")
    for key, shown in CRASH:
        screen.keys(key)
        screen.waits_for(shown)
    screen.keys("Left")
    screen.waits_for(r"Can step: .*2 thread 2")
    screen.keys("q")
    screen.ends(0)


def an_interruption_ends_a_hint(screen, program):
    # Five threads that take turns: no search of two minutes ends.
    path = os.path.join(screen.folder.name, "large.lab")
    with open(path, "w") as file:
        file.write(LARGE)
    screen.starts(f"{program} play {path} --hint-time 2m")
    screen.waits_for("step 0 of 0")
    screen.keys("h")
    screen.waits_for("Searching")
    screen.keys("C-c")
    screen.ends(130)


def a_terminal_that_disappears_ends_the_stepper(screen, program):
    """The other end of the terminal is closed, as when a connection is lost."""
    for waits_before in [False, True]:
        child, terminal = pty.fork()
        if child == 0:
            os.environ.update(TERM="xterm", LC_ALL="C.UTF-8")
            # A hangup alone ends most programs. This one is not told.
            if waits_before:
                signal.signal(signal.SIGHUP, signal.SIG_IGN)
            os.execv(program, [program, "play", DEADLOCK])
        shown = b""
        while b"step 0 of 0" not in shown:
            shown += os.read(terminal, 4096)
        os.close(terminal)
        end = time.monotonic() + PATIENCE
        while os.waitpid(child, os.WNOHANG)[0] == 0:
            if time.monotonic() > end:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                raise Failed("it continues without a terminal")
            time.sleep(0.02)


TESTS = [
    a_scenario_that_crashes_ends_a_run_not_the_stepper, an_interruption_ends_a_hint,
    a_terminal_that_disappears_ends_the_stepper,
    a_person_steps_into_a_deadlock_and_out_again, a_question_stays_until_it_is_answered_or_withdrawn,
    five_threads_fit_an_ordinary_screen, the_source_can_be_read, colors_are_used_where_they_are_wanted, predict_mode_asks, a_signal_ends_it_and_the_terminal_is_given_back,
    a_crash_of_threadlab_gives_the_terminal_back, a_window_that_changes_its_size_is_filled,
    without_utf8_everything_is_ascii, a_terminal_that_knows_nothing_has_a_conversation,
]


if __name__ == "__main__":
    run(TESTS, "the stepper", __doc__)
