#!/usr/bin/env python3
"""Runs a command while the processors are taken from everything else, for up to 60 ms at a time: `make test-stalled`.

    stalls.py COMMAND [ARGUMENT …]

A machine that others share does the same, at worse moments. What sleeps to let another thread come first fails here.
Needs the right to a real-time priority, which root has.
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


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    try:
        before = os.sched_getparam(0)
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
        os.sched_setscheduler(0, os.SCHED_OTHER, before)
    except PermissionError:
        print("stalls.py: a real-time priority is not allowed here: run it as root", file=sys.stderr)
        sys.exit(2)
    parent = os.getpid()
    for processor in os.sched_getaffinity(0):
        if os.fork() == 0:
            steal(processor, parent)
            os._exit(0)
    try:
        status = subprocess.run(sys.argv[1:]).returncode
    except OSError as error:
        print(f"stalls.py: cannot run '{sys.argv[1]}': {error.strerror}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(status if status >= 0 else 128 - status)


if __name__ == "__main__":
    main()
