"""Oracle (b): machines that run the program."""
from . import buffers, interleaving, steps
from .machine import search
from .results import MODELS

MACHINES = {"sc": interleaving, "tso": buffers, "rc11": steps}


def run(program, models=MODELS):
    return {model: search(program, MACHINES[model].successors) for model in models}
