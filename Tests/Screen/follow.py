#!/usr/bin/env python3
"""A run on real threads that is followed on a terminal's screen, in tmux.

Usage: follow.py THREADLAB. Without tmux nothing is tested, and the script says so.
"""

import os
import re

from screen import Failed, run

# One thread holds a lock for a minute; the other waits for it.
HELD = """scenario "held"
mutex m
atomic isHeld = false
thread holder { lock m { isHeld.store(true); sleep 60s } }
thread waiter { await isHeld.load(); lock m { note "at last" } }
expect completes
"""

CROWD = """scenario "crowd"
mutex m
mutex n
thread worker[30] { while true { lock m { sleep 20ms }; lock n { sleep 30ms } } }
expect completes
"""

# Faster than any screen.
BUSY = """scenario "busy"
mutex m
shared count = 0
thread worker[2] { while true { lock m { count = count + 1 }; sleep 1ms } }
expect completes
"""


def write(screen, text):
    path = os.path.join(screen.folder.name, "program.lab")
    with open(path, "w") as file:
        file.write(text)
    return path


def starts(screen, program, text, options=""):
    path = write(screen, text)
    screen.starts(f"{program} --no-pager run {path} --follow {options}")


def each_thread_has_a_line_that_changes_in_place(screen, program):
    starts(screen, program, HELD)
    screen.waits_for(r"^ holder +\d+\.\d s  sleeps; holds m$")
    first = screen.waits_for(r"^ waiter +\d+\.\d s  waits for m at line 5, which holder holds$")
    if not re.search(r"^ +\d\.\d{3}  .*holder  lock m +:4$", first, re.M):
        raise Failed(f"no lanes:\n{first}")
    # The time goes on, in the same line.
    screen.waits_for(r"^ waiter +[1-9]\d*\.\d s  waits for m")
    if len(re.findall("^ waiter ", screen.text(), re.M)) != 1:
        raise Failed(f"a line was written twice:\n{screen.text()}")
    screen.keys("C-c")
    text = screen.ends(130)
    if re.search(r"^ waiter +\d", text, re.M) or "interrupted: " not in text:
        raise Failed(f"not erased:\n{text}")


def many_threads_are_folded(screen, program):
    starts(screen, program, CROWD, "--timeout 3s")
    text = screen.waits_for(r"^ and 21 more: ")
    if len(re.findall(r"^ (worker|main)", text, re.M)) != 10:
        raise Failed(f"not ten threads:\n{text}")
    screen.ends(1)


def a_window_that_changes_its_size_is_filled(screen, program):
    starts(screen, program, HELD)
    screen.waits_for(r"^ waiter ")
    for columns, rows, pattern in [(150, 50, r"^ waiter +\d+\.\d s  waits for m at line 5, which holder holds$"),
                                   (30, 10, r"^ waiter +\d+\.\d s  waits for .*…$"), (12, 3, r"…"),
                                   (100, 30, r"^ waiter +\d+\.\d s  waits for m at line 5, which holder holds$")]:
        screen.tmux("resize-window", "-x", str(columns), "-y", str(rows))
        screen.waits_for(pattern)
        # What the terminal has broken in two is replaced.
        if rows > 4:
            screen.waits_for(r"(?<!waiter )\A(?:(?!^ waiter ).*\n)*^ waiter .*\n(?!.*^ waiter )")
    screen.keys("C-c")
    screen.ends(130)


def a_busy_run_says_how_many_steps_it_leaves_out(screen, program):
    starts(screen, program, BUSY, "--timeout 3s")
    screen.waits_for(r"^ +⋮  [\d,]+ steps$")
    screen.ends(1)


def a_signal_ends_it_and_the_terminal_is_given_back(screen, program):
    for number, code in [(15, 143), (1, 129), (11, 139), (9, 137)]:
        screen.keys("clear", "Enter")
        # Swift's own report of a crash asks for a key.
        starts(screen, "SWIFT_BACKTRACE=enable=no " + program, HELD)
        screen.waits_for(r"^ waiter +\d")
        os.kill(screen.process(), number)
        screen.ends(code)


def without_utf8_everything_is_ascii(screen, program):
    path = write(screen, HELD)
    screen.starts(f"LC_ALL=C {program} --no-pager run {path} --follow")
    text = screen.waits_for(r"^ waiter +\d+\.\d s  waits for m")
    if not text.isascii():
        raise Failed(f"not ASCII:\n{text}")
    screen.keys("C-c")
    screen.ends(130)


def a_terminal_that_knows_nothing_gets_lines(screen, program):
    path = write(screen, HELD)
    screen.starts(f"TERM=dumb {program} --no-pager run {path} --follow")
    screen.waits_for(r"^2 s, \d+ events; holder sleeps, waiter waits for m \(\d\.\d s\)")
    screen.keys("C-c")
    screen.ends(130)


TESTS = [
    each_thread_has_a_line_that_changes_in_place, many_threads_are_folded, a_window_that_changes_its_size_is_filled,
    a_busy_run_says_how_many_steps_it_leaves_out, a_signal_ends_it_and_the_terminal_is_given_back,
    without_utf8_everything_is_ascii, a_terminal_that_knows_nothing_gets_lines,
]

if __name__ == "__main__":
    run(TESTS, "a run that is followed", __doc__)
