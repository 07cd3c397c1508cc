"""x86-TSO as a machine: each thread has a first-in first-out buffer of stores, and reads its own newest one first.

Updates, compare-exchanges (also failed ones), lock operations, seq_cst fences and seq_cst stores (an exchange) need an empty
buffer and act on memory at once. All else compiles to a plain move or to nothing.
"""


def drains(operation):
    return (operation.kind in ("update", "lock", "unlock")
            or operation.kind in ("fence", "store") and operation.order == "seqcst")


def successors(state):
    for thread in range(len(state.threads)):
        buffer = state.buffers[thread]
        if buffer:
            after = state.copy()
            after.append(buffer[0])
            after.buffers[thread] = buffer[1:]
            yield after
        operation = state.pending(thread)
        if operation is None or drains(operation) and buffer:
            continue
        source = None
        if operation.reads:
            own = [message for message in buffer if message.cell == operation.cell]
            source = own[-1] if own else state.orders[operation.cell][-1]
            if not operation.accepts(source.value):
                continue
        after = state.copy()
        message = after.perform(thread, operation, source)
        if message and drains(operation):
            after.append(message)
        elif message:
            after.buffers[thread] += (message,)
        yield after
