#!/usr/bin/env python3
"""Runs a command on a machine that is not its own: `make test-stalled`.

    stalls.py COMMAND [ARGUMENT …]
        while the processors are taken from everything else, for up to 60 ms at a time. A machine that others share does
        the same, at worse moments. What sleeps to let another thread come first fails here. Needs the right to a
        real-time priority, which root has.

    stalls.py --busy NUMBER COMMAND [ARGUMENT …]
        beside this number of processes that compute all the time, at the same priority. What has a limit of time that
        a run on an idle machine never reaches fails here.
"""

import os
import random
import signal
import subprocess
import sys
import time

LONGEST_STALL, LONGEST_PAUSE = 0.06, 0.05


def steal(processor, parent):
    """Uses a processor for random times, until the parent has ended."""
    # The parent ends it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.sched_setaffinity(0, {processor})
    # More urgent than all others. The kernel leaves them a twentieth of each second in any case.
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
    while os.getppid() == parent:
        end = time.monotonic() + random.uniform(0.001, LONGEST_STALL)
        while time.monotonic() < end:
            pass
        time.sleep(random.uniform(0.0002, LONGEST_PAUSE))


def compute(parent):
    """Computes until the parent has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while os.getppid() == parent:
        for _ in range(100_000):
            pass


def beside(tasks, command):
    """Runs the command beside processes that do these tasks, and ends as it does."""
    parent = os.getpid()
    for task in tasks:
        if os.fork() == 0:
            task(parent)
            os._exit(0)
    try:
        status = subprocess.run(command).returncode
    except OSError as error:
        print(f"stalls.py: cannot run '{command[0]}': {error.strerror}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(status if status >= 0 else 128 - status)


def main():
    arguments = sys.argv[1:]
    if arguments[:1] == ["--busy"]:
        if len(arguments) < 3 or not arguments[1].isdigit():
            sys.exit(__doc__)
        beside([compute] * int(arguments[1]), arguments[2:])
    if not arguments:
        sys.exit(__doc__)
    try:
        before = os.sched_getparam(0)
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
        os.sched_setscheduler(0, os.SCHED_OTHER, before)
    except PermissionError:
        print("stalls.py: a real-time priority is not allowed here: run it as root", file=sys.stderr)
        sys.exit(2)
    processors = os.sched_getaffinity(0)
    beside([lambda parent, processor=processor: steal(processor, parent) for processor in processors], arguments)


if __name__ == "__main__":
    main()
