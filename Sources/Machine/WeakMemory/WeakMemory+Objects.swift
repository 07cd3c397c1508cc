/// Steps that are not on atomics, in a run under a weaker memory model. Each object other than an atomic or a cell is
/// sequentially consistent by itself: the machine's state decides what a step on it does, and all steps on it are in
/// one order. What its thread acquires or publishes by the step follows from the act's row, as under sc.
extension WeakMemory {
    /// What objects pass on from one thread to another.
    struct ObjectClocks: ~Copyable {
        /// By object: what the next thread to acquire it sees.
        private(set) var published = OwnedBuffer<GraphClock>(repeating: .zero, count: 1)
        /// By read-write lock: what a writer sees in addition.
        private(set) var readers = OwnedBuffer<GraphClock>(repeating: .zero, count: 1)
        private var count = 1

        mutating func reserve(_ objects: Int) {
            published.reserve(objects, keeping: count)
            readers.reserve(objects, keeping: count)
            for object in count..<max(count, objects) { clear(object) }
            count = max(count, objects)
        }

        mutating func reset() { for object in 0..<count { clear(object) } }

        private func clear(_ object: Int) {
            published[object] = .zero
            readers[object] = .zero
        }
    }

    /// Adds the thread's step to the graph. Called before the machine takes it.
    ///
    /// - Returns: the event with which the step races, if any.
    func follow(_ act: Act, _ operation: Operation, _ thread: Int, _ state: MachineState) -> EventName? {
        makeRoom(for: state)
        if arrivals.pointee.isUsed {
            if act == .write {
                arrivals.pointee.noteWrite(thread)
            } else {
                arrivals.pointee.noteStep(thread, drains: act.drainsBuffer(operation), now: writeCount)
            }
        }
        switch act.row.graph {
        case .start:
            let event = graph.append(.start, thread, 0, .relaxed)
            if starts[thread] != .none { graph.follow(event, graph.event(starts[thread])) }
        case .spawn:
            let event = graph.append(.spawn, thread, 0, .relaxed)
            event.pointee.value = state.threadCount
            // A graph has no place for further threads, and the runtime does not start them.
            if state.threadCount < ExecutionGraph.mostThreads {
                starts[state.threadCount] = EventName(thread, graph.counts[thread])
            }
        case .fence: graph.fence(graph.append(.fence, thread, 0, operation.orders.order))
        case .read: return access(.read, operation, thread)
        case .write: return access(.write, operation, thread)
        case .join:
            let target = Threads.target(of: operation, in: state)!
            let event = graph.append(.join, thread, 0, .relaxed)
            event.pointee.value = target
            if graph.counts[target] > 0 { graph.follow(event, graph.lastEvent(of: target)) }
        case .choose: _ = graph.append(.choose, thread, 0, .relaxed)
        case .other: _ = graph.append(.other, thread, 0, .relaxed)
        case .sync: sync(act, operation, thread)
        case .load, .store, .loadToUpdate, .storeOfUpdate, .lock, .unlock:
            preconditionFailure("a step on an atomic has ways")
        }
        return nil
    }

    private func access(_ kind: GraphEvent.Kind, _ operation: Operation, _ thread: Int) -> EventName? {
        let access = graph.append(kind, thread, operation.object, .relaxed)
        access.pointee.word = operation.a
        accessCount += 1
        return graph.race(of: access, by: thread)
    }

    private func sync(_ act: Act, _ operation: Operation, _ thread: Int) {
        let order = act.row.order
        switch act.reach {
        case .writesMutexAndObject:
            sync(thread, Conditions.mutex(of: operation), order)
            sync(thread, operation.object, .nothing)
        case .writesMutex:
            // The step comes after the signal, although the signal passes nothing on.
            sync(thread, operation.object, .nothing)
            sync(thread, Conditions.mutex(of: operation), order)
        case .readsObject, .writesObject, .readsObjectLate, .writesObjectLate, .leavesWait, .leavesWaitEarly:
            let isMemory = operation.object == 0 || !graph.haveMessages[Int(operation.object)]
            if isMemory {
                _ = graph.append(.other, thread, 0, .relaxed)
            } else {
                sync(thread, operation.object, order)
            }
        case .nothing, .readsThread, .readsThreadLate, .writesThread, .addsThread, .readsClock, .writesClock,
            .writesWorld, .misuses:
            preconditionFailure("the step is on no object")
        }
    }

    /// Adds a step on an object, after all others on it.
    private func sync(_ thread: Int, _ object: UInt32, _ order: Act.Order) {
        let event = graph.append(.sync, thread, object, .relaxed)
        graph.insert(EventName(thread, graph.counts[thread]), event, at: graph.messageCount(of: object))
        pass(order, graph.seenBy(event), Int(object))
    }

    /// Applies the act's order: publishes what the thread has seen, or adds to it what was published.
    private func pass(_ order: Act.Order, _ seen: UnsafeMutablePointer<GraphClock>, _ object: Int) {
        let published = clocks.pointee.published.base + object
        let readers = clocks.pointee.readers.base + object
        switch order {
        case .nothing: break
        case .acquires, .acquiresMutex: seen.merge(published.pointee)
        case .publishes, .publishesMutex: published.pointee = seen.pointee
        case .acquiresAndPublishes:
            seen.merge(published.pointee)
            published.pointee = seen.pointee
        case .addsToPublished: published.merge(seen.pointee)
        case .publishesToWriters: readers.merge(seen.pointee)
        case .acquiresFromReaders:
            seen.merge(published.pointee)
            seen.merge(readers.pointee)
        case .readsPlainly, .writesPlainly, .joins, .loads, .stores, .updates, .mismatches, .fences:
            preconditionFailure("only memory and threads order so")
        }
    }
}
