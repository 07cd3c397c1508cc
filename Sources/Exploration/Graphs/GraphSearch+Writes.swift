import Machine
import Trace

/// Writes: each adds a message, which other threads may read. The unlock of a plain mutex is one, too.
extension GraphSearch {
    /// Takes a store, or the write of an update.
    ///
    /// - Returns: false, because it has searched each way itself (`takeAlone`).
    func store(_ word: Int, _ kind: GraphEvent.Kind, _ thread: Int, _ operation: Operation) -> Bool {
        let message = Message(word: word, kind: kind, thread: thread, operation: operation)
        writeForward(message)
        revisitReads(with: message)
        return false
    }

    /// A message that a thread is about to add.
    struct Message {
        let word: Int
        let kind: GraphEvent.Kind
        let thread: Int
        let operation: Operation
    }

    /// Searches the executions in which the message revisits no read.
    private func writeForward(_ message: Message) {
        forEachPlace(of: message) { place, isLast in
            // Where the thread's state is kept; `takeBack` restores it.
            let words = keepWords(of: message.thread)
            write(message, at: place, words)
            let name = EventName(message.thread, graph.counts[message.thread])
            // At the end of modification order, the message closes no cycle (`isConsistent`).
            if isLast || graph.isConsistent(after: name) { visit() }
            takeBack(message.thread)
        }
    }

    /// Calls `search` for each place in modification order where the message can be, the last place first.
    @inline(always) func forEachPlace(of message: Message, _ search: (_ place: Int, _ isLast: Bool) -> Void) {
        let object = message.operation.object
        let count = graph.messageCount(of: object)
        if message.kind == .storeOfUpdate {
            let place = graph.placeAfterSource(of: message.thread)
            if !graph.isUpdated(object, before: place) { search(place, place == count) }
            return
        }
        if message.kind == .unlock { return search(count, true) }
        var place = count
        let lowest = graph.lowestPlace(object, for: message.thread)
        while place > lowest && !work.pointee.isStopped {
            if !graph.isUpdated(object, before: place) { search(place, place == count) }
            place -= 1
        }
    }

    /// Adds the message, and continues its thread.
    ///
    /// - Parameter words: where the thread's state before the write is saved (`keepWords`).
    func write(_ message: Message, at place: Int, _ words: Int32) {
        let thread = message.thread
        if message.kind == .storeOfUpdate && graph.isOrdered(message.operation.object) {
            return leave(message, at: place, words)
        }
        let read = graph.counts[thread] > 0 ? graph.lastEvent(of: thread).pointee.source : .none
        let order: MemoryOrder = message.kind == .unlock ? .release : message.operation.orders.order
        let event = graph.append(message.kind, thread, message.operation.object, order)
        event.pointee.note = words
        if message.kind == .storeOfUpdate { event.pointee.source = read }
        graph.write(message.word, event, EventName(thread, graph.counts[thread]), at: place)
        let result = message.kind == .storeOfUpdate ? graph.event(thread, graph.counts[thread] - 1).pointee.value : 0
        complete(thread, result)
    }

    /// Takes the unlock of a plain mutex.
    func unlock(_ thread: Int, _ operation: Operation) {
        let message = Message(word: 0, kind: .unlock, thread: thread, operation: operation)
        writeForward(message)
        revisitReads(with: message)
    }
}
