"""Random litmus tests, the same for the same seed.

Each program is small: two to four threads, two or three cells, one to four statements a thread. There are two kinds:

- free: each statement is chosen by itself, by weights. Half of these programs have only some kinds of statements;
- cycles, as the tool diy makes them: thread by thread, one or two accesses, where the last cell of a thread is the first cell
  of the next one, and the last thread's that of the first. SB, MP, LB, S, R, 2+2W, WRC, IRIW and ISA2 are such cycles. Fences,
  updates, awaits, tests and a plain cell are put in at random.
"""
import random

LOADS = ["relaxed", "acquire", "seqcst"]
STORES = ["relaxed", "release", "seqcst"]
UPDATES = ["relaxed", "acquire", "release", "acqrel", "seqcst"]
FENCES = ["acquire", "release", "acqrel", "seqcst"]
KINDS = {"load": 9, "store": 9, "fence": 3, "add": 2, "exchange": 1, "cas": 2, "lock": 1, "if": 1, "await": 1, "plain": 1}
# A favorite order, how often it is taken, and whether there are many full fences. Without these, few programs need the axiom
# about seq_cst events.
PROFILES = {"any": ("relaxed", 0, False), "weak": ("relaxed", 0.6, False), "strong": ("seqcst", 0.7, False),
            "stronger": ("seqcst", 0.9, False), "fenced": ("relaxed", 0.7, True), "mixed": ("seqcst", 0.5, True)}


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.cells = self.random.choice([["x", "y"], ["x", "y"], ["x", "y", "z"]])
        self.kinds = dict(KINDS)
        if self.random.random() < 0.5:    # a narrower kind of program
            for kind in self.random.sample([k for k in KINDS if k not in ("load", "store")], 6):
                del self.kinds[kind]
        self.profile = self.random.choice(list(PROFILES))
        self.results, self.stores, self.plain = [], {}, None

    def order(self, orders):
        favorite, share, _ = PROFILES[self.profile]
        return favorite if favorite in orders and self.random.random() < share else self.random.choice(orders)

    def fence(self):
        _, _, isFull = PROFILES[self.profile]
        return "fence(seqcst)" if isFull and self.random.random() < 0.8 else f"fence({self.random.choice(FENCES)})"

    def result(self):
        self.results.append(f"r{len(self.results)}")
        return self.results[-1]

    def fresh(self, cell):
        """A value for a store: mostly one that no other store to the cell has."""
        self.stores[cell] = self.stores.get(cell, 0) + 1
        return self.stores[cell] if self.random.random() < 0.8 else 1

    def statement(self, depth=0):
        pick, cell = self.random, self.random.choice([cell for cell in self.cells if cell != self.plain])
        kinds = {k: w for k, w in self.kinds.items() if depth == 0 or k not in ("lock", "if", "await")}
        kind = pick.choices(list(kinds), list(kinds.values()))[0]
        if kind == "load":
            return [f"{self.result()} = {cell}.load({self.order(LOADS)})"]
        if kind == "store":
            return [f"{cell}.store({self.fresh(cell)}, {self.order(STORES)})"]
        if kind == "fence":
            return [self.fence()]
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

    def free(self):
        """The lines of each thread."""
        count = self.random.choice([2, 2, 3])
        return [[line for _ in range(self.random.randint(2, 4) if count == 2 else self.random.randint(1, 3))
                 for line in self.statement()] for _ in range(count)]

    def cycle(self):
        pick = self.random
        lengths = pick.choice([[2, 2], [2, 2], [2, 2], [2, 2], [2, 2, 2], [2, 2, 2], [1, 2, 2], [1, 2, 2], [1, 2, 1, 2],
                               [2, 1, 2]])
        changes = lengths.count(2)    # each thread with two accesses moves to the next cell
        self.cells = ["x", "y", "z"][:changes]
        self.plain = pick.choice(self.cells) if pick.random() < 0.12 else None
        guarded = pick.random() < 0.2
        cell, threads, isWrite = 0, [], None
        first = pick.random() < 0.5
        for i, length in enumerate(lengths):
            lines, pending = [], []
            for j in range(length):
                begins = i == 0 and j == 0
                ends = i == len(lengths) - 1 and j == length - 1
                mustWrite = j == 0 and isWrite is False or ends and not first
                isWrite = first if begins else True if mustWrite else pick.random() < 0.5
                name = self.cells[cell % changes]
                if j and pick.random() < (0.6 if PROFILES[self.profile][2] else 0.3):
                    lines += indented([self.fence()]) if pending else [self.fence()]
                step, opens = self.access(name, isWrite, name == self.plain, guarded and j == 0 and length == 2)
                lines += indented(step) if pending else step
                pending = pending or opens
                if j == 0 and length == 2:
                    cell += 1
            if pick.random() < 0.15:
                lines += indented(self.statement(1)) if pending else self.statement(1)
            threads.append(lines + pending)
        return threads

    def access(self, cell, isWrite, isPlain, canGuard):
        """Lines, and what closes a block that they open."""
        pick = self.random
        if isPlain:
            return ([f"{cell} = {self.fresh(cell)}"], []) if isWrite else ([f"{self.result()} = {cell}"], [])
        if isWrite:
            kind = pick.choices(["store", "add", "exchange", "cas"], [8, 2, 1, 1])[0]
            if kind == "store":
                return [f"{cell}.store({self.fresh(cell)}, {self.order(STORES)})"], []
            if kind == "cas":
                return [f"{cell}.compareExchange({pick.randint(0, 1)}, 2, {self.order(UPDATES)}, {self.order(LOADS)})"], []
            return [f"{self.result()} = {cell}.{kind}({pick.randint(1, 2)}, {self.order(UPDATES)})"], []
        if canGuard:
            if pick.random() < 0.5:
                return [f"await {cell}.load({self.order(LOADS)}) != 0"], []
            name = f"seen{len(self.results)}"
            return [f"let {name} = {cell}.load({self.order(LOADS)})", f"{self.result()} = {name}",
                    f"if {name} != 0 {{"], ["}"]
        return [f"{self.result()} = {cell}.load({self.order(LOADS)})"], []

    def source(self, name):
        threads = []
        for i, lines in enumerate(self.cycle() if self.random.random() < 0.7 else self.free()):
            threads += [f"thread t{i} {{", *laid_out(lines), "}", ""]
        body = "\n".join(threads)
        head = [f'scenario "{name}"', "", "atomic " + ", ".join(f"{cell} = 0" for cell in self.cells if cell != self.plain)]
        plain = [self.plain] * bool(self.plain) + ["data"] * ("data" in body)
        shared = [f"{result} = 0" for result in self.results] + [f"{cell} = 0" for cell in plain]
        if shared:
            head.append("shared " + ", ".join(shared))
        if "lock m" in body:
            head.append("mutex m")
        return "\n".join(head) + "\n\n" + body.rstrip() + "\n"


def indented(lines):
    return ["    " + line for line in lines]


def laid_out(lines):
    """Each line with the indentation of its depth."""
    depth, found = 1, []
    for line in (line.strip() for line in lines):
        depth -= line.startswith("}")
        found.append("    " * depth + line)
        depth += line.endswith("{")
    return found


def program(seed, name="random"):
    return Generator(seed).source(name)
