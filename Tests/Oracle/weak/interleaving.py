"""SC as a machine: one memory, one step at a time."""


def successors(state):
    for thread in range(len(state.threads)):
        operation = state.pending(thread)
        if operation is None:
            continue
        newest = state.orders[operation.cell][-1] if operation.reads else None
        if operation.reads and not operation.accepts(newest.value):
            continue
        after = state.copy()
        message = after.perform(thread, operation, newest)
        if message:
            after.append(message)
        yield after
