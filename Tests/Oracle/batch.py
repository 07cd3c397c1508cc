"""Counts the traces of many programs in one process.

Standard input: a JSON list of {"program": text, "signal": "fifo" or "any"}. Standard output: a line for each: the number of
traces, and the terminal states as lists of an outcome, the blocked threads, and the shared memory.
"""
import json
import sys
import threading

import count_traces


def answer(request):
    result = count_traces.analyse(
        request["program"], sched=False, signal_any=request["signal"] == "any", max_terms=1000000)
    states = [
        [state["outcome"], state["blocked_threads"], list(state["memory"].values())]
        for state in result["terminal_states"]
    ]
    return {"traces": result["traces"]["total"], "states": states}


def main():
    for request in json.load(sys.stdin):
        print(json.dumps(answer(request)), flush=True)


threading.stack_size(1 << 28)
thread = threading.Thread(target=main)
thread.start()
thread.join()
