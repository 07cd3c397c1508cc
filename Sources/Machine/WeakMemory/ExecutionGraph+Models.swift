/// What each memory model allows: the one place where they differ.
extension ExecutionGraph {
    /// Whether the graph is an execution of the model with this event, which was added to the end of its thread. Asked
    /// only if the event reads a message that is not the newest, or was not put at the end of modification order. Any
    /// other event is ordered before no other, so it closes no cycle.
    @inline(always) package func isConsistent(after name: EventName) -> Bool {
        switch model {
        case .sc, .tso: isInNoCycle(name)
        case .rc11:
            // A single sequentially consistent event is in no cycle of such events.
            (body.pointee.seqCstCount < 2 || hasOrderOfSeqCst())
                && (!isOrdered(event(name).pointee.object) || isInNoCycle(name))
        }
    }
}
