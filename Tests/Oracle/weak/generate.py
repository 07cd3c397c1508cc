"""Random litmus tests, the same for the same seed.

Each program is small: two or three threads, two or three atomics, one to four statements a thread. A weight list decides how
often a kind of statement occurs; half of the programs use only some kinds, so that shapes with, say, only seq_cst accesses
and fences occur too.
"""
import random

LOADS = ["relaxed", "acquire", "seqcst"]
STORES = ["relaxed", "release", "seqcst"]
UPDATES = ["relaxed", "acquire", "release", "acqrel", "seqcst"]
FENCES = ["acquire", "release", "acqrel", "seqcst"]
KINDS = {"load": 9, "store": 9, "fence": 3, "add": 2, "exchange": 1, "cas": 2, "lock": 1, "if": 1, "await": 1, "plain": 1}


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.cells = self.random.choice([["x", "y"], ["x", "y"], ["x", "y", "z"]])
        self.kinds = dict(KINDS)
        if self.random.random() < 0.5:    # a narrower kind of program
            for kind in self.random.sample([k for k in KINDS if k not in ("load", "store")], 6):
                del self.kinds[kind]
        self.strong = self.random.random() < 0.25    # mixes of seq_cst with one other order
        self.results = []

    def order(self, orders):
        if self.strong and self.random.random() < 0.7:
            return "seqcst"
        return self.random.choice(orders)

    def result(self):
        self.results.append(f"r{len(self.results)}")
        return self.results[-1]

    def statement(self, depth=0):
        pick, cell = self.random, self.random.choice(self.cells)
        kinds = {k: w for k, w in self.kinds.items() if depth == 0 or k not in ("lock", "if", "await")}
        kind = pick.choices(list(kinds), list(kinds.values()))[0]
        if kind == "load":
            return [f"{self.result()} = {cell}.load({self.order(LOADS)})"]
        if kind == "store":
            return [f"{cell}.store({pick.randint(1, 2)}, {self.order(STORES)})"]
        if kind == "fence":
            return [f"fence({self.order(FENCES)})"]
        if kind == "add":
            return [f"{self.result()} = {cell}.add(1, {self.order(UPDATES)})"]
        if kind == "exchange":
            return [f"{self.result()} = {cell}.exchange({pick.randint(1, 3)}, {self.order(UPDATES)})"]
        if kind == "cas":
            name, expected = f"won{len(self.results)}", pick.randint(0, 1)
            return [f"let {name} = {cell}.compareExchange({expected}, {pick.randint(2, 3)}, {self.order(UPDATES)}, "
                    f"{self.order(LOADS)})", f"if {name} {{", f"    {self.result()} = 1", "}"]
        if kind == "lock":
            return ["lock m {", *indented(self.statement(1) + (self.statement(1) if pick.random() < 0.4 else [])), "}"]
        if kind == "if":
            name = f"seen{len(self.results)}"
            return [f"let {name} = {cell}.load({self.order(LOADS)})", f"{self.result()} = {name}",
                    f"if {name} == {pick.randint(0, 1)} {{", *indented(self.statement(1)), "}"]
        if kind == "await":
            return [f"await {cell}.load({self.order(LOADS)}) == {pick.randint(0, 2)}"]
        if pick.random() < 0.5:
            return [f"data = {pick.randint(1, 2)}"]
        return [f"{self.result()} = data"]

    def source(self, name):
        threads = []
        count = self.random.choice([2, 2, 3])
        for i in range(count):
            lines = [line for _ in range(self.random.randint(2, 4) if count == 2 else self.random.randint(1, 3))
                     for line in self.statement()]
            threads += [f"thread t{i} {{", *indented(lines), "}", ""]
        body = "\n".join(threads)
        head = [f'scenario "{name}"', "", "atomic " + ", ".join(f"{cell} = 0" for cell in self.cells)]
        shared = [f"{result} = 0" for result in self.results] + (["data = 0"] if "data" in body else [])
        if shared:
            head.append("shared " + ", ".join(shared))
        if "lock m" in body:
            head.append("mutex m")
        return "\n".join(head) + "\n\n" + body.rstrip() + "\n"


def indented(lines):
    return ["    " + line for line in lines]


def program(seed, name="random"):
    return Generator(seed).source(name)
