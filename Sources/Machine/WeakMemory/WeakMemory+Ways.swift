import Trace

/// The ways of a step on an atomic: which message it reads, or where in modification order its message is put. The
/// first way is what sequential consistency would do.
extension WeakMemory {
    /// Fills `ways`, by trying out in the graph what is consistent.
    ///
    /// - Returns: the number of ways in which the thread can take the operation: at least one.
    func findWays(_ thread: Int, _ operation: Operation, _ state: MachineState) -> Int {
        makeRoom(for: state)
        ways.pointee.begin()
        let object = operation.object
        let end = graph.messageCount(of: object)
        let lowest = graph.lowestPlace(object, for: thread)
        if operation.kind == .store {
            // If steps come in the order in which stores reach memory, a store goes to the end of modification order.
            let first = arrivals.pointee.isUsed ? end : lowest + 1
            for place in (first..<end + 1).reversed() where canStore(operation, thread, at: place, end) {
                ways.pointee.add(place)
            }
            return ways.pointee.count
        }
        // A failed attempt at an `await` changes nothing, so a later attempt that reads an older message could have
        // been the first. Only the newest message is left to be read: with it the thread continues, or waits for
        // another one.
        if isRenewed(operation, thread) {
            ways.pointee.add(end - 1)
            return 1
        }
        for place in (lowest..<end).reversed() where canRead(operation, thread, at: place, end) {
            ways.pointee.add(place)
        }
        if operation.kind == .weakCompareExchange && state.mayWakeSpuriously {
            addSpuriousFailures(thread, operation, lowest..<end)
        }
        return ways.pointee.count
    }

    /// Adds the ways in which a weak compare-exchange fails although it finds the expected value. It then only reads.
    private func addSpuriousFailures(_ thread: Int, _ operation: Operation, _ places: Range<Int>) {
        ways.pointee.spurious = ways.pointee.count
        for place in places.reversed() {
            let message = graph.message(operation.object, at: place)
            guard graph.word(of: message, operation.object) == operation.a else { continue }
            if place == places.upperBound - 1
                || hasArrived(message, operation, thread, before: place + 1) && canOnlyRead(message, thread, operation)
            {
                ways.pointee.add(place)
            }
        }
    }

    /// Whether the read belongs to an attempt that is not the first of its `await`.
    private func isRenewed(_ operation: Operation, _ thread: Int) -> Bool {
        operation.isRenewedLook || operation.isWatching && operation.isFurtherLook && renewed[thread]
    }

    /// Whether the store can be put at this place in modification order.
    ///
    /// - Parameter end: the place after the newest message.
    private func canStore(_ operation: Operation, _ thread: Int, at place: Int, _ end: Int) -> Bool {
        if graph.isUpdated(operation.object, before: place) { return false }
        if place == end { return true }
        store(operation.a, .store, thread, operation, at: place)
        defer { graph.removeLast(of: thread) }
        return graph.isConsistent(after: EventName(thread, graph.counts[thread]))
    }

    /// Whether the operation can read the message at this place and, if it is an update, store after it.
    ///
    /// - Parameter end: the place after the newest message.
    private func canRead(_ operation: Operation, _ thread: Int, at place: Int, _ end: Int) -> Bool {
        let message = graph.message(operation.object, at: place)
        let word = graph.word(of: message, operation.object)
        // An `await` whose thread finds an older value and waits would wait for a message that exists already.
        if let comparison = operation.awaited, place < end - 1, !comparison.holds(word, operation.a) { return false }
        let stored = operation.kind == .load ? nil : operation.word(after: word)
        if stored != nil && graph.isUpdated(operation.object, before: place + 1) { return false }
        if place == end - 1 { return true }
        guard hasArrived(message, operation, thread, before: place + 1) else { return false }
        guard stored != nil else { return canOnlyRead(message, thread, operation) }
        read(message, thread, operation, stores: true)
        defer { graph.removeLast(of: thread) }
        guard graph.isConsistent(after: EventName(thread, graph.counts[thread])) else { return false }
        store(stored!, .storeOfUpdate, thread, operation, at: place + 1)
        defer { graph.removeLast(of: thread) }
        return graph.isConsistent(after: EventName(thread, graph.counts[thread]))
    }

    /// Whether memory held the message, which is not the newest, at a moment at which the step can have happened.
    ///
    /// - Parameter next: the place after the message's.
    private func hasArrived(_ message: EventName, _ operation: Operation, _ thread: Int, before next: Int) -> Bool {
        guard arrivals.pointee.isUsed else { return true }
        return arrivals.pointee.canRead(
            message, next: graph.message(operation.object, at: next), thread, drains: operation.kind != .load,
            now: writeCount)
    }

    /// Whether the operation can read the message, if it stores nothing.
    private func canOnlyRead(_ message: EventName, _ thread: Int, _ operation: Operation) -> Bool {
        read(message, thread, operation, stores: false)
        defer { graph.removeLast(of: thread) }
        return graph.isConsistent(after: EventName(thread, graph.counts[thread]))
    }

    /// Adds the event of a step that reads the message.
    ///
    /// - Parameter stores: whether the step also writes.
    private func read(_ message: EventName, _ thread: Int, _ operation: Operation, stores: Bool) {
        let fails = operation.kind.row.change == .compareExchange && !stores
        let order = fails ? operation.orders.failure : operation.orders.order
        let event = graph.append(operation.kind == .load ? .load : .loadToUpdate, thread, operation.object, order)
        graph.read(event, from: message)
    }

    /// Adds the write of a step that is really taken, and notes that memory has changed.
    private func write(_ word: Int, _ kind: GraphEvent.Kind, _ thread: Int, _ operation: Operation, at place: Int) {
        store(word, kind, thread, operation, at: place)
        writeCount += 1
        guard arrivals.pointee.isUsed else { return }
        arrivals.pointee.noteStore(
            EventName(thread, graph.counts[thread]), thread,
            waits: kind == .store && operation.orders.order != .seqcst, now: writeCount)
    }

    /// Adds an event that writes a message, perhaps only to try it out.
    private func store(_ word: Int, _ kind: GraphEvent.Kind, _ thread: Int, _ operation: Operation, at place: Int) {
        let source = graph.counts[thread] > 0 ? graph.lastEvent(of: thread).pointee.source : .none
        let event = graph.append(kind, thread, operation.object, operation.orders.order)
        if kind == .storeOfUpdate { event.pointee.source = source }
        graph.write(word, event, EventName(thread, graph.counts[thread]), at: place)
    }

    /// The ruling on the step if it is taken in its first way.
    func firstRuling(_ thread: Int, _ operation: Operation, _ state: MachineState) -> Ruling {
        _ = findWays(thread, operation, state)
        return ruling(on: operation, at: Int(ways.pointee.places[0]))
    }

    private func ruling(on operation: Operation, at place: Int) -> Ruling {
        if operation.kind == .store { return Ruling(.store, 0, word: operation.a) }
        let old = graph.word(of: graph.message(operation.object, at: place), operation.object)
        if operation.kind == .load { return Ruling(.load, old) }
        guard let word = operation.word(after: old) else { return Ruling(.mismatch, old) }
        return Ruling(.update, old, word: word)
    }

    /// Takes the step in one of its ways, as far as the graph is concerned.
    ///
    /// - Returns: the ruling. Its word is the newest value of the object afterwards, which need not be what the step
    ///   wrote.
    func take(_ thread: Int, _ operation: Operation, way: Int, _ state: MachineState) -> Ruling {
        let count = findWays(thread, operation, state)
        precondition(way < count, "a step on an atomic has no such way")
        let place = Int(ways.pointee.places[way])
        let object = operation.object
        let end = graph.messageCount(of: object)
        var ruling =
            way < ways.pointee.spurious ? ruling(on: operation, at: place) : Memory.spuriousFailure(of: operation)
        if operation.isWatching { renewed[thread] = isRenewed(operation, thread) } else { renewed[thread] = false }
        if operation.kind == .store {
            noteStep(newer: end - place)
            write(operation.a, .store, thread, operation, at: place)
        } else {
            noteStep(newer: end - 1 - place)
            let message = graph.message(object, at: place)
            read(message, thread, operation, stores: ruling.act == .update)
            if arrivals.pointee.isUsed { noteArrivals(message, ruling.act, operation, thread) }
            if ruling.act == .update { write(ruling.word, .storeOfUpdate, thread, operation, at: place + 1) }
        }
        ruling.word = graph.newestWord(of: object)
        return ruling
    }

    private func noteArrivals(_ message: EventName, _ act: Act, _ operation: Operation, _ thread: Int) {
        if act == .load {
            arrivals.pointee.noteLoad(message, thread, now: writeCount)
        } else {
            arrivals.pointee.noteStep(thread, drains: true, now: writeCount)
        }
    }

    /// Whether the object has a message that the thread need not have seen yet. The thread sees it eventually.
    func hasNews(_ object: UInt32, for thread: Int) -> Bool {
        graph.lowestPlace(object, for: thread) < graph.messageCount(of: object) - 1
    }
}

extension WeakMemory {
    /// For a way of the operation that was examined last: the place of the message that is read, or where one is put.
    package func place(ofWay way: Int) -> Int { Int(ways.pointee.places[way]) }
    /// Whether the operation, a weak compare-exchange, fails in this way although it finds the expected value.
    package func isSpurious(way: Int) -> Bool { way >= ways.pointee.spurious }
}
