/// The whole state as a value, to compare a state with what was written down of it. Only debug builds do.
///
/// It is compared by derived equality, so a property that is added to a thread, an object or the machine is compared
/// too, unless it is removed here, where the reason stands.
package struct MachinePortrait: Equatable {
    fileprivate var scalars: MachineState.Scalars
    fileprivate var threads: [ThreadState]
    fileprivate var objects: [ObjectState]
    fileprivate var holds: [MachineState.ReadHold]
    fileprivate var watches: [MachineState.Watch]
}

extension MachineState {
    /// The state, without what has no influence on what can follow.
    package var portrait: MachinePortrait {
        var scalars = header.pointee.scalars
        // Deadlines are relative, and so are places among waiters.
        scalars.time = 0
        scalars.nextTicket = 0
        let holds = (0..<scalars.holdCount).map { header.pointee.holds[$0] }
        let watches = (0..<scalars.watchCount).map { header.pointee.watches[$0] }
        return MachinePortrait(
            scalars: scalars, threads: (0..<threadCount).map(portrait(of:)),
            objects: (1..<objectCount).map { portrait(of: header.pointee.objects[$0]) },
            holds: holds.sorted { ($0.thread, $0.object) < ($1.thread, $1.object) },
            watches: watches.sorted { ($0.thread, $0.object) < ($1.thread, $1.object) })
    }

    private func portrait(of thread: Int) -> ThreadState {
        var state = threads[thread]
        if state.operation.kind.hasDeadline { state.operation.b = distance(to: state.operation.b) }
        state.ticket = state.status == .waiting ? rank(of: thread) : 0
        // A shortcut, which may have become simpler; what it answers is compared.
        state.gate = isEnabled(thread) ? .open : .closed
        // It is of the last wait.
        if state.status != .waking { state.wasWoken = false }
        // What it did last.
        if state.status == .ended { state.operation = Operation(.start) }
        return state
    }

    private func portrait(of object: ObjectState) -> ObjectState {
        var object = object
        // How often a mutex was acquired is for events. A condition without waiters has no mutex.
        if object.kind.isMutex || object.kind == .condition && object.count == 0 { object.value = 0 }
        return object
    }

    /// Overwrites all that can differ from state to state, so that what is not restored afterwards is not right by chance.
    package func scramble() {
        var scalars = header.pointee.scalars
        for thread in 0..<threadCount {
            // A program whose states are written down makes its objects before it begins.
            let objectsMade = threads[thread].objectsMade
            threads[thread] = ThreadState()
            threads[thread].objectsMade = objectsMade
            threads[thread].operation = Operation(.inspect, .max, -1, -1)
            threads[thread].ticket = -1
            threads[thread].result = -1
            (threads[thread].isJoined, threads[thread].isDetached) = (true, true)
            (threads[thread].isStirred, threads[thread].wasWoken) = (true, true)
        }
        for index in 1..<objectCount {
            let object = header.pointee.objects.base + index
            (object.pointee.owner, object.pointee.count) = (-2, -2)
            // A read-write lock's never changes.
            if !object.pointee.kind.isReadWriteLock { object.pointee.value = -2 }
        }
        (scalars.time, scalars.threadCount, scalars.holdCount, scalars.watchCount) = (-1, -1, -1, -1)
        (scalars.nextTicket, scalars.spuriousBudget, scalars.threadLimit) = (-1, -1, -1)
        header.pointee.scalars = scalars
    }
}
