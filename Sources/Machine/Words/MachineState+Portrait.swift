/// The whole state as a value that can be compared. With it, debug builds check that a state that was written down as
/// components is the same when it has been restored.
///
/// Equality is derived, so each new property of a thread, an object or the machine is compared too, unless `portrait`
/// removes it, with the reason.
package struct MachinePortrait: Equatable {
    fileprivate var scalars: MachineState.Scalars
    fileprivate var threads: [ThreadState]
    fileprivate var objects: [ObjectState]
    fileprivate var holds: [MachineState.ReadHold]
    fileprivate var watches: [MachineState.Watch]
}

extension MachineState {
    /// The state, without what cannot influence the future.
    package var portrait: MachinePortrait {
        var scalars = header.pointee.scalars
        // Components hold distances to deadlines, and places among waiters, so absolute values are not restored.
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
        // A restored gate may be a simpler one, so only whether it is open is compared.
        state.gate = isEnabled(thread) ? .open : .closed
        // Left over from the thread's last wait.
        if state.status != .waking { state.wasWoken = false }
        // Left over from the thread's last step.
        if state.status == .ended { state.operation = Operation(.start) }
        return state
    }

    private func portrait(of object: ObjectState) -> ObjectState {
        var object = object
        // How often a mutex was acquired only matters for events. A condition without waiters has no mutex.
        if object.kind.isMutex || object.kind == .condition && object.count == 0 { object.value = 0 }
        return object
    }

    /// Overwrites all that can differ between states, mostly with values that no state has, so that a word that is not
    /// restored afterwards is noticed.
    package func scramble() {
        var scalars = header.pointee.scalars
        for thread in 0..<threadCount {
            // Not overwritten: a program whose states are written down makes its objects before it begins.
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
            // The value of a read-write lock never changes.
            if !object.pointee.kind.isReadWriteLock { object.pointee.value = -2 }
        }
        (scalars.time, scalars.threadCount, scalars.holdCount, scalars.watchCount) = (-1, -1, -1, -1)
        (scalars.nextTicket, scalars.spuriousBudget, scalars.threadLimit) = (-1, -1, -1)
        header.pointee.scalars = scalars
    }
}
