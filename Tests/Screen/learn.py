#!/usr/bin/env python3
"""A course as a learner takes it, in a terminal: sends keys to tmux, and compares what the screen shows.

Usage: learn.py THREADLAB. Without tmux nothing is tested, and the script says so.
"""

import os
import re

from screen import ROOT, Failed, run

EXERCISE = "01-two-threads/add-a-lock.lab"
COURSE = os.path.join(ROOT, "course/two-threads/add-a-lock")


def text(name):
    with open(os.path.join(COURSE, name + ".lab")) as file:
        return file.read()


def save(screen, content):
    """As an editor does: a new file takes the place of the old one."""
    path = os.path.join(screen.folder.name, "mine", EXERCISE)
    with open(path + ".new", "w") as file:
        file.write(content)
    os.replace(path + ".new", path)


def types(screen, command, shown):
    """Types a command, and waits for a pattern in what it prints. The screen is empty before."""
    screen.keys("clear", "Enter")
    screen.waits_for(r"\Aready\$ *\n\s*\Z")
    screen.keys(command, "Enter")
    return screen.waits_for(shown)


def begins(screen, program):
    screen.tmux("resize-window", "-x", "100", "-y", "60")
    types(screen, f"alias threadlab='{program} --no-pager'; cd {screen.folder.name}", r"ready\$\s*\Z")
    types(screen, "threadlab learn init mine && cd mine", r"mine has the \d+ exercises\.")


def an_exercise_is_solved_with_hints(screen, program):
    begins(screen, program)
    types(screen, "threadlab learn list | head -5", r"- 1\.1 Add a lock")
    types(screen, "threadlab learn", r"Solved: 0 of \d+\. You are in lesson 1")
    types(screen, "threadlab learn check", r"(?s)not yet.*'threadlab learn hint' helps\.")
    for number in range(1, 4):
        types(screen, "threadlab learn hint", rf"1\.1 Add a lock, hint {number}")
    save(screen, text("wrong-1"))
    types(screen, "threadlab learn check", r"(?s)not yet.*'threadlab learn hint' helps\.")
    save(screen, text("solution"))
    types(screen, "threadlab learn check", r"(?s)solved.*Next: Draw a ticket")
    types(screen, "threadlab learn list | head -5", r"\* 1\.1 Add a lock")
    types(screen, "threadlab learn reset add-a-lock", r"is as at the beginning")
    types(screen, "threadlab learn check add-a-lock", r"(?s)not yet.*'threadlab learn hint' helps\.")
    types(screen, f"diff {EXERCISE}.old {COURSE}/solution.lab && echo kept", r"^kept$")


def a_lesson_asks_before_it_answers(screen, program):
    begins(screen, program)
    screen.keys("clear", "Enter", "threadlab learn next", "Enter")
    shown = screen.waits_for(r"Your answer \(letters such as a or ac; Enter shows it\): *$")
    if "a: " in shown or "Right." in shown:
        raise Failed(f"the answer is shown before the question is answered\n{shown}")
    for answer, said in [("bc", r"Question 2\."), ("q", r"The letters are a to c\."), ("ab", r"Question 3\."), ("", r"You were")]:
        screen.keys(*([answer] if answer else []), "Enter")
        screen.waits_for(said)
    screen.waits_for(r"(?s)1\.1 Add a lock.*You were right 2 of 2 times\.")


def a_file_is_judged_each_time_it_is_saved(screen, program):
    begins(screen, program)
    screen.keys("clear", "Enter")
    screen.starts("threadlab learn --watch add-a-lock")
    screen.waits_for(r"(?s)Watching " + re.escape(EXERCISE) + r".*not yet.*race")
    save(screen, "scenario \"x\"\nthread t {\n")
    screen.waits_for(r"it cannot be read")
    save(screen, text("wrong-2"))
    screen.waits_for(r"(?s)it cannot be read.*not yet")
    save(screen, text("solution"))
    screen.waits_for(re.escape(EXERCISE) + r": solved")
    screen.ends(0)


def a_watch_ends_with_a_key(screen, program):
    begins(screen, program)
    screen.starts("threadlab learn --watch add-a-lock")
    screen.waits_for(r"(?s)Watching.*not yet")
    screen.keys("C-c")
    screen.waits_for(r"\^C\s*ready\$\s*\Z")


TESTS = [
    an_exercise_is_solved_with_hints, a_lesson_asks_before_it_answers, a_file_is_judged_each_time_it_is_saved,
    a_watch_ends_with_a_key,
]

if __name__ == "__main__":
    run(TESTS, "a course", __doc__)
