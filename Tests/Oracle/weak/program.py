"""A syntax tree to threads whose steps can be taken one by one.

A thread's local state is a pair (place in the code, values of its variables). `Thread.advance` runs local work up to the
next operation on memory; `Thread.after` continues behind it with the value that was read. Both oracles use this file, and
share nothing else.
"""
import operator

from . import syntax
from .syntax import Unsupported

BINARY = {"+": operator.add, "-": operator.sub, "*": operator.mul, "&": operator.and_, "|": operator.or_,
          "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift, "==": operator.eq, "!=": operator.ne,
          "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
          "/": lambda a, b: int(a / b), "%": lambda a, b: a - b * int(a / b)}
UPDATES = {"add": lambda old, n: old + n, "bitAnd": lambda old, n: old & n, "bitOr": lambda old, n: old | n,
           "bitXor": lambda old, n: old ^ n, "exchange": lambda old, n: n}
ACQUIRES = ("acquire", "acqrel", "seqcst")
RELEASES = ("release", "acqrel", "seqcst")
LOCAL_LIMIT = 10_000


class Operation:
    """One step on memory. `order` is "plain" for shared cells; a fence has no cell."""

    def __init__(self, kind, cell, order, failure=None, accepts=None, written=None):
        self.kind, self.cell, self.order, self.failure = kind, cell, order, failure
        self.accepts = accepts or (lambda value: True)    # whether the operation can read this value
        self.written = written or (lambda value: None)    # what it then writes; None: nothing

    @property
    def reads(self):
        return self.kind not in ("store", "fence")

    @property
    def waits(self):
        """Whether it can block forever."""
        return self.kind in ("await", "lock")

    def order_after(self, value):
        """The order of the event, which for a compare-exchange depends on the value that it finds."""
        return self.failure if self.failure and self.written(value) is None else self.order


class Thread:
    def __init__(self, name, code, slots):
        self.name, self.code, self.slots = name, code, slots

    def start(self):
        return self.run(0, (None,) * self.slots)

    def run(self, at, values):
        """Local work from here up to an operation or the end."""
        for _ in range(LOCAL_LIMIT):
            if at == len(self.code):
                return (at, values)
            step = self.code[at]
            if step[0] == "set":
                values = values[:step[1]] + (step[2](values),) + values[step[1] + 1:]
                at += 1
            elif step[0] == "jump":
                at = step[1]
            elif step[0] == "unless":
                at = at + 1 if step[1](values) else step[2]
            else:
                return (at, values)
        raise Unsupported(f"thread {self.name}: a loop without operations does not end")

    def operation(self, state):
        """The operation that comes next, or None at the end."""
        at, values = state
        return None if at == len(self.code) else self.code[at][1](values)

    def after(self, state, value):
        at, values = state
        slot = self.code[at][2]
        if slot is not None:
            values = values[:slot] + (value,) + values[slot + 1:]
        return self.run(at + 1, values)


class Program:
    """cells: list of (name, kind, initial value); threads; claims."""

    def __init__(self, source):
        declarations, threads, self.claims = syntax.parse(source)
        self.constants, self.cells, self.arrays = {}, [], {}
        for kind, name, count, initial in declarations:
            value = 0 if initial is None else self.constant(initial)
            if kind == "parameter":
                self.constants[name] = value
                continue
            size = None if count is None else self.constant(count)
            self.arrays[name] = (len(self.cells), size, kind)
            for i in range(1 if size is None else size):
                self.cells.append((name if size is None else f"{name}[{i}]", kind, value))
        self.threads = []
        for name, count, body in threads:
            for i in range(1 if count is None else self.constant(count)):
                label = name if count is None else f"{name}[{i}]"
                self.threads.append(Compiler(self, label, None if count is None else i).thread(body))
        self.observed = [i for i, (_, kind, _) in enumerate(self.cells) if kind != "mutex"]

    def constant(self, tree):
        return Compiler(self, "a constant", None).value(tree)(())

    def outcome(self, finals):
        """The values at the end, as a sorted key and for JSON: [["r0", 0], …]; truth values are 0 and 1."""
        return tuple((self.cells[i][0], int(finals[i])) for i in self.observed)


class Compiler:
    """One thread's code. Shared reads inside expressions become operations that fill unnamed variables."""

    def __init__(self, program, name, index):
        self.program, self.name, self.index = program, name, index
        self.code, self.scopes, self.slots, self.loops = [], [{}], 0, []

    def thread(self, body):
        self.block(body)
        for at, step in enumerate(self.code):    # `return` jumps to the end
            if step == ("jump", None):
                self.code[at] = ("jump", len(self.code))
        return Thread(self.name, self.code, self.slots)

    def refuse(self, words):
        raise Unsupported(f"thread {self.name}: {words}")

    # Variables and cells

    def slot(self):
        self.slots += 1
        return self.slots - 1

    def local(self, name):
        return next((scope[name] for scope in reversed(self.scopes) if name in scope), None)

    def place(self, tree):
        """(a function that gives the number of the cell, its kind)"""
        if tree[0] not in ("name", "element") or tree[1] not in self.program.arrays:
            self.refuse(f"{tree[1] if len(tree) > 1 else tree[0]} is not a cell")
        base, size, kind = self.program.arrays[tree[1]]
        if tree[0] == "name":
            if size is not None:
                self.refuse(f"{tree[1]} is an array")
            return (lambda values: base), kind
        index = self.value(tree[2])

        def number(values):
            i = index(values)
            if not 0 <= i < size:
                self.refuse(f"{tree[1]}[{i}] is out of bounds")
            return base + i
        return number, kind

    # Expressions: a function of the variables

    def value(self, tree):
        kind = tree[0]
        if kind in ("int", "bool"):
            return lambda values: tree[1]
        if kind == "index":
            if self.index is None:
                self.refuse("no index here")
            return lambda values: self.index
        if kind == "unary":
            inner = self.value(tree[2])
            return {"-": lambda v: -inner(v), "!": lambda v: not inner(v), "~": lambda v: ~inner(v)}[tree[1]]
        if kind == "binary":
            return self.binary(tree)
        if kind == "call":
            return self.call(tree)
        if kind == "name" and self.local(tree[1]) is not None:
            slot = self.local(tree[1])
            return lambda values: values[slot]
        if kind == "name" and tree[1] in self.program.constants:
            constant = self.program.constants[tree[1]]
            return lambda values: constant
        cell, memory = self.place(tree)
        return self.emit("load", cell, "plain" if memory == "shared" else "seqcst")

    def binary(self, tree):
        _, mark, left, right = tree
        first = self.value(left)
        if mark not in ("&&", "||"):
            second, function = self.value(right), BINARY[mark]
            return lambda values: function(first(values), second(values))
        result = self.slot()
        self.code.append(("set", result, lambda values: bool(first(values))))
        at = len(self.code)
        self.code.append(None)    # the right side is skipped if the left one decides
        second = self.value(right)
        self.code.append(("set", result, lambda values: bool(second(values))))
        decides = (lambda v: v[result]) if mark == "&&" else (lambda v: not v[result])
        self.code[at] = ("unless", decides, len(self.code))
        return lambda values: values[result]

    def call(self, tree):
        _, place, method, arguments, orders = tree
        cell, memory = self.place(place)
        if memory != "atomic":
            self.refuse(f"{method} is outside the subset")
        given = [self.value(argument) for argument in arguments]
        order = orders[0] if orders else "seqcst"
        if method == "load":
            return self.emit("load", cell, order)
        if method == "store":
            return self.emit("store", cell, order, written=lambda v: (lambda old, new=given[0](v): new))
        if method in UPDATES:
            change = UPDATES[method]
            return self.emit("update", cell, order,
                             written=lambda v: (lambda old, n=given[0](v): change(old, n)))
        if method != "compareExchange":
            self.refuse(f"{method} is outside the subset")
        weaker = {"acqrel": "acquire", "release": "relaxed"}.get(order, order)    # as in C++
        number = self.emit("update", cell, order, failure=orders[1] if len(orders) > 1 else weaker,
                           written=lambda v: (lambda old, a=given[0](v), b=given[1](v): b if old == a else None))
        return lambda values, expected=given[0]: number(values) == expected(values)

    def emit(self, kind, cell, order, failure=None, accepts=None, written=None):
        """Adds an operation; its result is the value that it read."""
        slot = self.slot()

        def operation(values):
            return Operation(kind, cell(values) if cell else None, order, failure,
                             accepts(values) if accepts else None, written(values) if written else None)
        self.code.append(("operation", operation, slot if kind not in ("store", "fence") else None))
        return lambda values: values[slot]

    # Statements

    def block(self, body):
        self.scopes.append({})
        for tree in body:
            getattr(self, "put_" + tree[0])(*tree[1:])
        self.scopes.pop()

    def put_let(self, name, tree):
        value, slot = self.value(tree), self.slot()
        self.code.append(("set", slot, value))
        self.scopes[-1][name] = slot

    def put_assign(self, target, mark, tree):
        local = self.local(target[1]) if target[0] == "name" else None
        if local is not None:
            value = self.value(("binary", mark, target, tree) if mark else tree)
            self.code.append(("set", local, value))
            return
        cell, memory = self.place(target)
        order = "plain" if memory == "shared" else "seqcst"
        old = self.emit("load", cell, order) if mark else None    # a compound assignment reads first
        value = self.value(tree)
        new = (lambda v: BINARY[mark](old(v), value(v))) if mark else value
        self.emit("store", cell, order, written=lambda v: (lambda _, new=new(v): new))

    def put_do(self, tree):
        self.value(tree)

    def put_skip(self):
        pass

    def put_fence(self, order):
        self.emit("fence", None, order)

    def put_if(self, condition, then, otherwise):
        test = self.value(condition)
        at = len(self.code)
        self.code.append(None)
        self.block(then)
        end = len(self.code)
        if otherwise:
            self.code.append(None)
        self.code[at] = ("unless", test, len(self.code))
        if otherwise:
            self.block(otherwise)
            self.code[end] = ("jump", len(self.code))

    def loop(self, condition, body, advance=None):
        start = len(self.code)
        test = self.value(condition)
        at = len(self.code)
        self.code.append(None)
        self.loops.append([])
        self.block(body)
        onward = len(self.code) if advance else start
        if advance:
            advance()
        self.code.append(("jump", start))
        self.code[at] = ("unless", test, len(self.code))
        for place, word in self.loops.pop():
            self.code[place] = ("jump", len(self.code) if word == "break" else onward)

    def put_while(self, condition, body):
        self.loop(condition, body)

    def put_repeat(self, count, body):
        self.put_for("", ("int", 0), count, body)

    def put_for(self, name, low, high, body):
        first, last, slot, end = self.value(low), self.value(high), self.slot(), self.slot()
        self.code.append(("set", slot, first))
        self.code.append(("set", end, last))
        self.scopes.append({name: slot, "": slot, " end": end})
        self.loop(("binary", "<", ("name", name), ("name", " end")), body,
                  lambda: self.code.append(("set", slot, lambda v: v[slot] + 1)))
        self.scopes.pop()

    def put_break(self):
        self.loops[-1].append((len(self.code), "break"))
        self.code.append(None)

    def put_continue(self):
        self.loops[-1].append((len(self.code), "continue"))
        self.code.append(None)

    def put_return(self):
        self.code.append(("jump", None))

    def put_lock(self, place, body):
        cell, kind = self.place(place)
        if kind != "mutex":
            self.refuse("only a mutex can be locked")
        if any(inner[0] in ("break", "continue", "return") for inner in everything(body)):
            self.refuse("a lock block that is left by a jump is outside the subset")
        self.emit("lock", cell, "acquire", accepts=lambda v: (lambda old: old == 0), written=lambda v: (lambda old: 1))
        self.block(body)
        self.emit("unlock", cell, "release", written=lambda v: (lambda old: 0))

    def put_await(self, tree):
        """One event, which reads some value that makes the condition true."""
        before = len(self.code)
        condition = self.value(tree)
        reads = [step for step in self.code[before:] if step[0] == "operation"]
        if len(reads) != 1 or len(self.code) != before + 1:
            self.refuse("await needs one read of one atomic")
        _, load, slot = self.code.pop()

        def operation(values):
            read = load(values)
            if read.kind != "load" or read.order == "plain":
                self.refuse("await needs one read of one atomic")
            return Operation("await", read.cell, read.order,
                             accepts=lambda value: condition(values[:slot] + (value,) + values[slot + 1:]))
        self.code.append(("operation", operation, slot))


def everything(trees):
    for tree in trees:
        if isinstance(tree, tuple):
            yield tree
            yield from everything(tree)
        elif isinstance(tree, list):
            yield from everything(tree)
