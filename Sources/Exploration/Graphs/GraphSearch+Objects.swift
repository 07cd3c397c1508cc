import Machine

/// Steps on locks and semaphores, which in a graph are updates of one word (`ObjectWord`), and weak compare-exchanges
/// that fail spuriously.
extension GraphSearch {
    /// What the thread's operation on a lock or semaphore does if the object has this word.
    @inline(always) func step(_ operation: Operation, _ thread: Int, finding word: Int) -> ObjectWord.Step {
        ObjectWord.step(operation, kinds[Int(operation.object)], by: thread, finding: word)
    }

    /// Whether the thread's operation on a lock or semaphore is blocked while the object has this word.
    @inline(always) func isBlocked(_ operation: Operation, _ thread: Int, finding word: Int) -> Bool {
        ObjectWord.blocks(operation, kinds[Int(operation.object)], by: thread, finding: word)
    }

    /// Whether the operation is on a lock or semaphore, and may have to wait.
    func waits(_ operation: Operation) -> Bool {
        graph.isOrdered(operation.object) && operation.waits(on: kinds[Int(operation.object)])
    }

    /// Takes the thread's operation on a lock or semaphore: adds a read and, if the step changes the object's word, the
    /// write that follows at once.
    ///
    /// - Returns: false, because it has searched each way itself (`takeAlone`).
    func takeObject(_ thread: Int, _ operation: Operation) -> Bool {
        if statuses[thread] == .updating {
            let found = graph.lastEvent(of: thread).pointee.value
            return store(step(operation, thread, finding: found).word!, .storeOfUpdate, thread, operation)
        }
        if waits(operation) { waitForMessage(thread, operation, .loadToUpdate) }
        let count = graph.messageCount(of: operation.object)
        for place in (graph.lowestPlace(operation.object, for: thread)..<count).reversed() {
            let message = graph.message(operation.object, at: place)
            if isBlocked(operation, thread, finding: graph.word(of: message, operation.object)) { continue }
            if place < count - 1 && isUsedUp(operation, thread, place) { continue }
            findForward(message, isNewest: place == count - 1, thread, operation)
        }
        return false
    }

    /// Searches the executions in which the operation on a lock or semaphore finds this message.
    private func findForward(_ message: EventName, isNewest: Bool, _ thread: Int, _ operation: Operation) {
        if work.pointee.isStopped { return }
        find(message, thread, operation, keepWords(of: thread), stamp: nil)
        if isNewest || graph.isConsistent(after: EventName(thread, graph.counts[thread])) {
            // This thread was the first that could continue, so its write is the next event.
            if statuses[thread] == .updating { _ = takeObject(thread, operation) } else { visit() }
        }
        takeBack(thread)
    }

    /// Whether the step would have to write right after this message, but the write of a step that may have to wait is
    /// there already. Such a step is never removed again once it has found a message, so no graph contains this one.
    private func isUsedUp(_ operation: Operation, _ thread: Int, _ place: Int) -> Bool {
        guard graph.isUpdated(operation.object, before: place + 1) else { return false }
        let write = graph.message(operation.object, at: place + 1)
        let message = graph.message(operation.object, at: place)
        return isWaiting(graph.event(write.thread, write.index - 1))
            && step(operation, thread, finding: graph.word(of: message, operation.object)).word != nil
    }

    /// Adds the read of a step on a lock or semaphore, and continues its thread.
    ///
    /// - Parameters:
    ///   - words: where the thread's state before the step is saved (`keepWords`).
    ///   - stamp: the read's stamp, if it was in the graph before. Nil: a new one.
    func find(_ message: EventName, _ thread: Int, _ operation: Operation, _ words: Int32, stamp: Int32?) {
        let event = graph.append(.loadToUpdate, thread, operation.object, .relaxed, stamp: stamp)
        event.pointee.note = words
        let step = step(operation, thread, finding: graph.word(of: message, operation.object))
        graph.find(event, message, step.ruling.act)
        if step.word != nil {
            statuses[thread] = .updating
        } else if step.isOverfull {
            statuses[thread] = .failed
            stop(.tooLong)
        } else if step.ruling.act == .misuse {
            statuses[thread] = .failed
        } else {
            complete(thread, step.ruling.value)
        }
    }

    /// Adds the write of a step on a lock or semaphore, and continues its thread.
    ///
    /// - Parameter words: where the thread's state before the write is saved (`keepWords`).
    func leave(_ message: Message, at place: Int, _ words: Int32) {
        let thread = message.thread
        let read = graph.lastEvent(of: thread).pointee
        let event = graph.append(.storeOfUpdate, thread, message.operation.object, .relaxed)
        event.pointee.note = words
        let name = EventName(thread, graph.counts[thread])
        let step = step(message.operation, thread, finding: read.value)
        graph.leave(step.word!, event, name, after: read.source, step.ruling.act, at: place)
        if step.ruling.act.row.isWaiting {
            subject.place(ofOperationOf: thread).pointee.b = ObjectWord.queued
            statuses[thread] = .ready
        } else {
            complete(thread, step.ruling.value)
        }
    }

    /// The word that a plain mutex would have if its steps were updates. In graphs they are other events, `lock` and
    /// `unlock`.
    func word(ofPlainMutex object: UInt32) -> Int { ObjectWord.mutex(heldBy: graph.holder(of: object)) }

    /// An earlier join of the same thread, after which this one is a misuse. Nil: there is none.
    func otherJoin(_ join: Operation) -> EventName? {
        for thread in 0..<threadCount {
            for index in 1..<graph.counts[thread] + 1 {
                let event = graph.event(thread, index).pointee
                if event.kind == .join && event.value == join.a { return EventName(thread, index) }
            }
        }
        return nil
    }

    // MARK: - Spurious failures

    /// Whether the operation is a weak compare-exchange that finds the expected value, and may fail nevertheless: the
    /// graph has fewer such failures than the limit.
    func mayFailSpuriously(_ operation: Operation, finding word: Int) -> Bool {
        guard operation.kind == .weakCompareExchange, word == operation.a else { return false }
        return spuriousCount < mostSpurious
    }

    /// The number of compare-exchanges in the graph that failed spuriously.
    var spuriousCount: Int {
        (0..<threadCount).reduce(0) { sum, thread in
            sum + (1..<graph.counts[thread] + 1).count { Self.isSpurious(graph.event(thread, $0)) }
        }
    }

    /// Whether the event is the read of a compare-exchange that failed spuriously. Such a read is marked in `word`,
    /// which other reads do not use.
    @inline(always) static func isSpurious(_ event: UnsafeMutablePointer<GraphEvent>) -> Bool {
        event.pointee.kind == .loadToUpdate && event.pointee.word == spuriousMark
    }

    private static let spuriousMark = 1

    /// Searches the executions in which the operation reads this message and fails spuriously, if it may.
    func failSpuriously(
        _ message: EventName, isNewest: Bool, _ thread: Int, _ operation: Operation, stamp: Int32? = nil
    ) {
        if work.pointee.isStopped || !mayFailSpuriously(operation, finding: graph.word(of: message, operation.object)) {
            return
        }
        let words = keepWords(of: thread)
        let event = graph.append(.loadToUpdate, thread, operation.object, operation.orders.failure, stamp: stamp)
        event.pointee.note = words
        event.pointee.word = Self.spuriousMark
        graph.read(event, from: message)
        complete(thread, Memory.spuriousFailure(of: operation).value)
        if isNewest || graph.isConsistent(after: EventName(thread, graph.counts[thread])) { visit() }
        takeBack(thread)
    }
}
