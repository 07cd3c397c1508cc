import Machine

/// The steps with which the machine repeats an execution graph of a search, or only as much of it as leads to some of
/// its events. `GraphChooser` follows the plan. A *message* is an event that another thread can read, such as a store.
///
/// Meanwhile the machine builds a graph of its own, in which threads and events can have other numbers.
package struct GraphPlan {
    struct Step {
        /// The thread's number on the machine.
        let thread: Int
        let kind: GraphEvent.Kind
        /// The message that a read reads, by its name in the machine's graph. Unused for a store.
        let source: EventName
        /// The place of a store in modification order, or the number that `choose` returns.
        let number: Int
        /// Whether the step is a compare-exchange that fails although it finds the expected value.
        let isSpurious: Bool
    }

    private(set) var steps: [Step] = []
    /// The places of the graph's messages in modification order, by their names in the machine's graph.
    private(set) var places: [Int32: Int] = [:]

    /// - Parameters:
    ///   - existing: the number of threads that exist from the beginning.
    ///   - last: the events to which the plan leads, in the order in which they are taken. Empty: all events.
    init(_ graph: ExecutionGraph, existing: Int, _ last: [EventName] = []) {
        var builder = Builder(graph, existing)
        if last.isEmpty {
            builder.addAll()
        } else {
            builder.addPrefixes(of: last)
            for name in last { builder.add(upTo: name) }
        }
        steps = builder.steps
        for object in 1..<graph.objectCount {
            for place in 0..<graph.messageCount(of: UInt32(object)) {
                if let name = builder.names[graph.message(UInt32(object), at: place).word] { places[name.word] = place }
            }
        }
    }

    /// The place of a message in the modification order of its object in the search's graph.
    ///
    /// - Parameter message: its name in the machine's graph.
    func place(of message: EventName) -> Int { message == .initial ? 0 : places[message.word] ?? .max }

    /// Puts events in an order in which each comes after what it depends on, with few changes of thread.
    private struct Builder {
        let graph: ExecutionGraph
        var steps: [Step] = []
        /// By thread: the number of its events that have been added to the plan, and of those that may be added.
        private var added: [Int]
        private var limits: [Int]
        /// By thread: the number of its events in the machine's graph after the steps so far. There, a step on a lock
        /// or semaphore is one event; here it can be two.
        private var machineCounts: [Int]
        /// By thread: its number on the machine, where threads are numbered as they are started. Nil: the thread has
        /// not been started.
        private var machineThreads: [Int?]
        private var nextThread: Int
        /// By thread and event: a number, such that the memory model orders events by ascending numbers.
        private let numbers: [[Int]]
        /// By the name of a message in the search's graph: its name in the machine's graph.
        private(set) var names: [Int32: EventName] = [EventName.initial.word: .initial]

        init(_ graph: ExecutionGraph, _ existing: Int) {
            machineThreads = (0..<graph.threadCount).map { $0 < existing ? $0 : nil }
            nextThread = existing
            self.graph = graph
            numbers = graph.orderNumbers()
            // The main thread's first event is not a step.
            added = (0..<graph.threadCount).map { $0 == 0 && graph.counts[0] > 0 ? 1 : 0 }
            limits = added
            machineCounts = added
        }

        mutating func addAll() {
            for thread in limits.indices { limits[thread] = graph.counts[thread] }
            addPossible()
            for thread in limits.indices { addLastRead(of: thread) }
        }

        /// Adds what the events depend on, but not the events themselves.
        mutating func addPrefixes(of events: [EventName]) {
            for name in events {
                let prefix = graph.event(name).pointee.prefix
                for thread in limits.indices { limits[thread] = max(limits[thread], graph.entry(prefix, thread)) }
            }
            for name in events {
                limits[name.thread] = max(added[name.thread], min(limits[name.thread], name.index - 1))
            }
            addPossible()
        }

        /// Adds the event, and what it depends on. The latter can include later steps of the thread of another event to
        /// which the plan leads, because a store can be read without ordering anything.
        mutating func add(upTo name: EventName) {
            let prefix = graph.event(name).pointee.prefix
            for thread in limits.indices { limits[thread] = max(limits[thread], graph.entry(prefix, thread)) }
            limits[name.thread] = max(limits[name.thread], name.index)
            addPossible()
        }

        /// Adds events up to the limits, as many of one thread in a row as possible.
        private mutating func addPossible() {
            var thread = 0
            var idle = 0
            while idle < added.count {
                if added[thread] < limits[thread] && isPossible(thread) {
                    addNext(of: thread)
                    idle = 0
                } else {
                    thread = (thread + 1) % added.count
                    idle += 1
                }
            }
        }

        /// Whether what the thread's next event depends on has been added.
        private func isPossible(_ thread: Int) -> Bool {
            let event = graph.event(thread, added[thread] + 1)
            switch event.pointee.kind {
            case .load, .loadToUpdate, .lock:
                let source = event.pointee.source
                // A read without a source represents a thread that waits, and is not a step.
                guard source != .none, source == .initial || added[source.thread] >= source.index else { return false }
                return !graph.isOrdered(event.pointee.object) || isNext(event.pointee, thread)
            case .join: return added[event.pointee.value] == graph.counts[event.pointee.value]
            case .start: return machineThreads[thread] != nil
            case .store, .storeOfUpdate, .fence, .read, .write, .unlock, .sync, .spawn, .choose, .other:
                return true
            }
        }

        /// Whether the step on a lock or semaphore comes before all steps on the same object that are still to be
        /// added. The machine takes the steps on an object in one order, even those that change nothing: under tso each
        /// of them drains a store buffer, so their order matters.
        ///
        /// Some step can always be next: in the model's order, each of these steps is ordered with all events of its
        /// thread, and a read of another thread's store comes after everything that it depends on.
        private func isNext(_ event: GraphEvent, _ thread: Int) -> Bool {
            let number = number(event, thread, added[thread] + 1)
            return !limits.indices.contains { other in
                other != thread && added[other] < limits[other]
                    && (added[other] + 1..<limits[other] + 1).contains { index in
                        let step = graph.event(other, index).pointee
                        // Without a source, the event is not a step: its thread waits.
                        return step.kind == .loadToUpdate && step.object == event.object && step.source != .none
                            && self.number(step, other, index) < number
                    }
            }
        }

        /// The number of a step on a lock or semaphore. If it writes, that of its write, which comes after all steps
        /// that find the same word.
        private func number(_ event: GraphEvent, _ thread: Int, _ index: Int) -> Int {
            numbers[thread][writes(event, thread, index) ? index + 1 : index]
        }

        /// Whether the read at this position belongs to an update that writes.
        private func writes(_ event: GraphEvent, _ thread: Int, _ index: Int) -> Bool {
            event.kind == .loadToUpdate && index < graph.counts[thread]
                && graph.event(thread, index + 1).pointee.kind == .storeOfUpdate
        }

        /// If the thread waits forever for a value, adds the read in which it finds another one, the newest.
        private mutating func addLastRead(of thread: Int) {
            guard graph.counts[thread] > 0 else { return }
            let last = graph.lastEvent(of: thread).pointee
            guard last.kind == .load && last.source == .none else { return }
            let newest = graph.message(last.object, at: graph.messageCount(of: last.object) - 1)
            steps.append(
                Step(
                    thread: machineThreads[thread]!, kind: .load, source: names[newest.word]!, number: 0,
                    isSpurious: false))
        }

        private mutating func addNext(of thread: Int) {
            added[thread] += 1
            machineCounts[thread] += 1
            let index = added[thread]
            let event = graph.event(thread, index).pointee
            let number = event.kind == .choose ? event.value : Int(event.place)
            let isUpdate = writes(event, thread, index)
            let isSpurious = !isUpdate && GraphSearch.isSpurious(graph.event(thread, index))
            steps.append(
                Step(
                    thread: machineThreads[thread]!, kind: event.kind, source: names[event.source.word] ?? .none,
                    number: number,
                    isSpurious: isSpurious))
            if event.kind == .store { name(thread, index) }
            if event.kind == .spawn {
                machineThreads[event.value] = nextThread
                nextThread += 1
            }
            // An update is one step. In the machine's graph it is two events on an atomic, but one on a lock or
            // semaphore.
            guard isUpdate else { return }
            added[thread] += 1
            if graph.isOrdered(event.object) { return }
            machineCounts[thread] += 1
            name(thread, index + 1)
        }

        /// Records the name in the machine's graph of this event, a message: it is the thread's last event there.
        private mutating func name(_ thread: Int, _ index: Int) {
            names[EventName(thread, index).word] = EventName(machineThreads[thread]!, machineCounts[thread])
        }
    }
}
