import Machine
import Trace

/// Reads of atomics and locks of plain mutexes: each is searched with every message that it may read.
extension GraphSearch {
    /// Takes a load. An `await` reads only messages that satisfy its condition, or waits.
    ///
    /// - Returns: false, because it has searched each way itself (`takeAlone`). The same holds for `update` and `lock`.
    func load(_ thread: Int, _ operation: Operation) -> Bool {
        let count = graph.messageCount(of: operation.object)
        let lowest = graph.lowestPlace(operation.object, for: thread)
        if let comparison = operation.awaited {
            waitForMessage(thread, operation, .load)
            for place in lowest..<count {
                let message = graph.message(operation.object, at: place)
                if !comparison.holds(graph.word(of: message, operation.object), operation.a) { continue }
                readForward(message, isNewest: place == count - 1, .load, thread, operation)
            }
            return false
        }
        for place in (lowest..<count).reversed() {
            let message = graph.message(operation.object, at: place)
            readForward(message, isNewest: place == count - 1, .load, thread, operation)
        }
        return false
    }

    func update(_ thread: Int, _ operation: Operation) -> Bool {
        let count = graph.messageCount(of: operation.object)
        for place in (graph.lowestPlace(operation.object, for: thread)..<count).reversed() {
            let message = graph.message(operation.object, at: place)
            readForward(message, isNewest: place == count - 1, .loadToUpdate, thread, operation)
            if operation.kind == .weakCompareExchange {
                failSpuriously(message, isNewest: place == count - 1, thread, operation)
            }
        }
        return false
    }

    /// Takes the lock of a plain mutex: reads the mutex's last message if the mutex is free. Another thread may come
    /// first, so the executions in which this one waits are searched too; there, a later unlock revisits its event.
    func lock(_ thread: Int, _ operation: Operation) -> Bool {
        waitForMessage(thread, operation, .lock)
        let message = graph.message(operation.object, at: graph.messageCount(of: operation.object) - 1)
        if !isBlocked(operation, thread, finding: word(ofPlainMutex: operation.object)) {
            readForward(message, isNewest: true, .lock, thread, operation)
        }
        return false
    }

    /// Searches the executions in which the thread finds no message and waits.
    func waitForMessage(_ thread: Int, _ operation: Operation, _ kind: GraphEvent.Kind) {
        if work.pointee.isStopped { return }
        let words = keepWords(of: thread)
        let event = graph.append(kind, thread, operation.object, operation.orders.order)
        event.pointee.note = words
        statuses[thread] = .waiting
        visit()
        takeBack(thread)
    }

    /// Searches the executions in which the operation reads this message.
    func readForward(
        _ message: EventName, isNewest: Bool, _ kind: GraphEvent.Kind, _ thread: Int, _ operation: Operation
    ) {
        if work.pointee.isStopped { return }
        let words = keepWords(of: thread)
        read(message, kind, thread, operation, words)
        if isNewest || graph.isConsistent(after: EventName(thread, graph.counts[thread])) { visit() }
        takeBack(thread)
    }

    /// Adds the read, and continues its thread.
    ///
    /// - Parameters:
    ///   - words: where the thread's state before the read is saved (`keepWords`).
    ///   - stamp: the read's stamp, if it was in the graph before. Nil: a new one.
    func read(
        _ message: EventName, _ kind: GraphEvent.Kind, _ thread: Int, _ operation: Operation, _ words: Int32,
        stamp: Int32? = nil
    ) {
        if kind == .loadToUpdate && graph.isOrdered(operation.object) {
            return find(message, thread, operation, words, stamp: stamp)
        }
        let order = kind == .lock ? .acquire : orderOfRead(message, kind, operation)
        let event = graph.append(kind, thread, operation.object, order, stamp: stamp)
        event.pointee.note = words
        graph.read(event, from: message)
        if kind == .loadToUpdate && operation.word(after: event.pointee.value) != nil {
            statuses[thread] = .updating
        } else {
            complete(thread, event.pointee.value)
        }
    }

    /// The memory order of the read. A compare-exchange that fails has an order of its own.
    private func orderOfRead(_ message: EventName, _ kind: GraphEvent.Kind, _ operation: Operation) -> MemoryOrder {
        guard operation.kind == .compareExchange || operation.kind == .weakCompareExchange,
            operation.word(after: graph.word(of: message, operation.object)) == nil
        else { return operation.orders.order }
        return operation.orders.failure
    }
}
