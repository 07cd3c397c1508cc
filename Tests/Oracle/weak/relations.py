"""Binary relations on events 0 … n-1: a list of bit masks, row a has bit b if a is related to b."""


def empty(n):
    return [0] * n


def union(*relations):
    return [a | b for a, b in zip(relations[0], union(*relations[1:]))] if len(relations) > 1 else list(relations[0])


def compose(first, second):
    """first;second"""
    result = []
    for row in first:
        reached = 0
        while row:
            low = row & -row
            reached |= second[low.bit_length() - 1]
            row ^= low
        result.append(reached)
    return result


def closure(relation):
    """The transitive closure."""
    result = list(relation)
    for middle in range(len(result)):
        through = result[middle]
        if through:
            bit = 1 << middle
            for a, row in enumerate(result):
                if row & bit:
                    result[a] = row | through
    return result


def inverse(relation):
    result = [0] * len(relation)
    for a, row in enumerate(relation):
        while row:
            low = row & -row
            result[low.bit_length() - 1] |= 1 << a
            row ^= low
    return result


def optional(relation):
    """relation?: with the identity"""
    return [row | 1 << a for a, row in enumerate(relation)]


def restrict(relation, sources, targets):
    """[sources];relation;[targets], with sets as bit masks"""
    return [row & targets if sources >> a & 1 else 0 for a, row in enumerate(relation)]


def identity(members, n):
    """[members]"""
    return [members & 1 << a for a in range(n)]


def is_irreflexive(relation):
    return not any(row >> a & 1 for a, row in enumerate(relation))


def is_acyclic(relation):
    return is_irreflexive(closure(relation))
