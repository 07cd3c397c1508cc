"""Judges the `expect` lines of a file by the results of an oracle."""
from .program import BINARY, Unsupported


def value(tree, finals):
    kind = tree[0]
    if kind in ("int", "bool"):
        return tree[1]
    if kind == "name":
        return finals[tree[1]]
    if kind == "element":
        return finals[f"{tree[1]}[{value(tree[2], finals)}]"]
    if kind == "unary":
        inner = value(tree[2], finals)
        return -inner if tree[1] == "-" else ~inner if tree[1] == "~" else not inner
    if kind == "binary":
        left = value(tree[2], finals)
        if tree[1] == "&&":
            return left and value(tree[3], finals)
        if tree[1] == "||":
            return left or value(tree[3], finals)
        return BINARY[tree[1]](left, value(tree[3], finals))
    if kind == "call" and tree[2] == "load":
        return value(tree[1], finals)
    raise Unsupported(f"a claim cannot contain {kind}")


def variables(tree, finals):
    """The names in a row."""
    if tree[0] == "name":
        return [tree[1]]
    if tree[0] == "element":
        return [f"{tree[1]}[{value(tree[2], finals)}]"]
    return [name for part in tree[1:] if isinstance(part, tuple) for name in variables(part, finals)]


def holds(kind, what, result):
    """Whether a claim is true of a result of one model."""
    if kind == "ends":
        race, deadlock = "race" in what, "deadlock" in what
        return result.race == race and (race or (result.blocked > 0) == deadlock)
    if result.race:
        return False
    if kind == "broken":
        return not holds(*what, result)
    ends = [dict(outcome) for outcome in result.outcomes]
    if kind == "sometimes":
        return any(value(what, end) for end in ends)
    if kind == "never":
        return not any(value(what, end) for end in ends)
    if kind == "always":
        return all(value(what, end) for end in ends)
    names = variables(what[0], ends[0])
    shown = {tuple(end[name] for name in names) for end in ends}
    rows = {tuple(row_values(row)[name] for name in names) for row in what}
    return shown == rows


def row_values(row):
    """{name: value} of `a == 1 && b == 2`"""
    if row[1] == "&&":
        return {**row_values(row[2]), **row_values(row[3])}
    name = variables(row[2], {})[0]
    return {name: int(value(row[3], {}))}


def failures(program, results):
    """Sentences about claims that do not hold. A claim without a model is about sc."""
    found = []
    for model, kind, what, line in program.claims:
        if not holds(kind, what, results[model or "sc"]):
            found.append(f"line {line}: the {kind} claim is wrong under {model or 'sc'}")
    return found
