import Machine

/// Steps on locks and semaphores, which are updates of one word, and weak compare-exchanges that fail.
extension GraphSearch {
    @inline(always) func step(_ operation: Operation, _ thread: Int, finding word: Int) -> ObjectStep {
        ObjectStep(operation, kinds[Int(operation.object)], by: thread, finding: word)
    }

    /// Whether the operation is on a lock or semaphore, and may have to wait.
    func waits(_ operation: Operation) -> Bool {
        graph.isOrdered(operation.object) && operation.waits(on: kinds[Int(operation.object)])
    }

    /// The thread's operation on a lock or semaphore: a read, and a write that follows at once if the step changes it.
    func takeObject(_ thread: Int, _ operation: Operation) -> Bool {
        if statuses[thread] == .updating {
            let found = graph.lastEvent(of: thread).pointee.value
            switch step(operation, thread, finding: found) {
            case .changes(let word, _, _), .queues(let word): return store(word, .storeOfUpdate, thread, operation)
            case .blocked, .keeps, .misuse, .overflow: preconditionFailure("such a step writes nothing")
            }
        }
        if waits(operation) { waitForMessage(thread, operation, .loadToUpdate) }
        let count = graph.messageCount(of: operation.object)
        for place in (graph.lowestPlace(operation.object, for: thread)..<count).reversed() {
            let message = graph.message(operation.object, at: place)
            if step(operation, thread, finding: graph.word(of: message, operation.object)) == .blocked { continue }
            readForward(message, isNewest: place == count - 1, .loadToUpdate, thread, operation)
        }
        return false
    }

    /// Adds the read of a step on a lock or semaphore, and continues its thread.
    func find(_ message: EventName, _ thread: Int, _ operation: Operation, _ words: Int32, stamp: Int32?) {
        let event = graph.append(.loadToUpdate, thread, operation.object, .relaxed, stamp: stamp)
        event.pointee.note = words
        let step = step(operation, thread, finding: graph.word(of: message, operation.object))
        switch step {
        case .changes(_, _, let act):
            graph.find(event, message, act)
            statuses[thread] = .updating
        case .queues:
            graph.find(event, message, nil)
            statuses[thread] = .updating
        case .keeps(let result):
            graph.find(event, message, nil)
            complete(thread, result)
        case .misuse:
            graph.find(event, message, nil)
            statuses[thread] = .failed
        case .overflow:
            graph.find(event, message, nil)
            statuses[thread] = .failed
            stop(.tooLong)
        case .blocked: preconditionFailure("a thread that is blocked takes no step")
        }
    }

    /// Adds the write of a step on a lock or semaphore, and continues its thread.
    func leave(_ message: Message, at place: Int, _ words: Int32) {
        let thread = message.thread
        let read = graph.lastEvent(of: thread).pointee
        let event = graph.append(.storeOfUpdate, thread, message.operation.object, .relaxed)
        event.pointee.note = words
        let name = EventName(thread, graph.counts[thread])
        switch step(message.operation, thread, finding: read.value) {
        case .changes(let word, let result, let act):
            graph.leave(word, event, name, after: read.source, act, at: place)
            complete(thread, result)
        case .queues(let word):
            graph.leave(word, event, name, after: read.source, .queue, at: place)
            subject.place(ofOperationOf: thread).pointee.b = ObjectStep.queued
            statuses[thread] = .ready
        case .blocked, .keeps, .misuse, .overflow: preconditionFailure("such a step writes nothing")
        }
    }

    /// A plain mutex is unlocked by a thread that does not hold it.
    func isMisuse(_ unlock: Operation, by thread: Int) -> Bool {
        let index = graph.lastIndex(of: thread, on: unlock.object)
        return index == 0 || graph.event(thread, index).pointee.kind != .lock
    }

    /// Another join with the same thread: after it, this one is a misuse.
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

    /// Whether the operation may fail without a reason again in this graph.
    func mayFailSpuriously(_ operation: Operation, finding word: Int) -> Bool {
        guard operation.kind == .weakCompareExchange, word == operation.a else { return false }
        return spuriousCount < mostSpurious
    }

    /// The number of compare-exchanges of the graph that failed without a reason.
    var spuriousCount: Int {
        (0..<threadCount).reduce(0) { sum, thread in
            sum + (1..<graph.counts[thread] + 1).count { Self.isSpurious(graph.event(thread, $0)) }
        }
    }

    /// The mark of the read of one that failed so: other reads write nothing.
    @inline(always) static func isSpurious(_ event: UnsafeMutablePointer<GraphEvent>) -> Bool {
        event.pointee.kind == .loadToUpdate && event.pointee.word == spuriousMark
    }

    private static let spuriousMark = 1

    /// Searches the executions in which the operation, which would find its expected value in the message, fails.
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
