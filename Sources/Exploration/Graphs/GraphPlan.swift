import Machine

/// The steps of a machine that make an execution graph, or the part of it that comes before some of its events.
package struct GraphPlan {
    struct Step {
        let thread: Int
        let kind: GraphEvent.Kind
        /// What a read reads; for a store, unused.
        let source: EventName
        /// The place of a store, or the number that a choice returns.
        let number: Int
        /// Whether it is a compare-exchange that fails though it finds the expected value.
        let isSpurious: Bool
    }

    private(set) var steps: [Step] = []
    /// The places of the graph's messages in modification order, by their names in the machine's graph.
    private(set) var places: [Int32: Int] = [:]

    /// - Parameters:
    ///   - existing: how many threads exist from the beginning.
    ///   - last: the events of interest, in the order in which they shall come. Empty: all events.
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

    /// The place of a message, among those of its object in the graph.
    func place(of message: EventName) -> Int { message == .initial ? 0 : places[message.word] ?? .max }

    /// Puts events in an order in which each comes after what it depends on, with few changes of thread.
    private struct Builder {
        let graph: ExecutionGraph
        var steps: [Step] = []
        /// By thread: how many events have been added, and how many may be.
        private var added: [Int]
        private var limits: [Int]
        /// By thread: how many events the machine's graph has then. There, a step on a lock or semaphore is one event.
        private var machineCounts: [Int]
        /// By thread: its number on the machine, where threads are numbered as they are started. Nil: it has not been.
        private var machineThreads: [Int?]
        private var nextThread: Int
        /// By thread and event: a number that agrees with the model's order.
        private let numbers: [[Int]]
        /// The names of atomics' messages in the machine's graph, by those in this one.
        private(set) var names: [Int32: EventName] = [EventName.initial.word: .initial]

        init(_ graph: ExecutionGraph, _ existing: Int) {
            machineThreads = (0..<graph.threadCount).map { $0 < existing ? $0 : nil }
            nextThread = existing
            self.graph = graph
            numbers = graph.orderNumbers()
            // The main thread takes no step for its first event.
            added = (0..<graph.threadCount).map { $0 == 0 && graph.counts[0] > 0 ? 1 : 0 }
            limits = added
            machineCounts = added
        }

        mutating func addAll() {
            for thread in limits.indices { limits[thread] = graph.counts[thread] }
            addPossible()
            for thread in limits.indices { addLastLook(of: thread) }
        }

        /// Adds what comes before the events, and not the events.
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

        /// Adds the event, and what comes before it. That may include events after another event of interest, in that
        /// one's thread: a store there can be read without ordering anything.
        mutating func add(upTo name: EventName) {
            let prefix = graph.event(name).pointee.prefix
            for thread in limits.indices { limits[thread] = max(limits[thread], graph.entry(prefix, thread)) }
            limits[name.thread] = max(limits[name.thread], name.index)
            addPossible()
        }

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
                // A thread that waits takes no step.
                guard source != .none, source == .initial || added[source.thread] >= source.index else { return false }
                return !graph.isOrdered(event.pointee.object) || isNext(event.pointee, thread)
            case .join: return added[event.pointee.value] == graph.counts[event.pointee.value]
            case .start: return machineThreads[thread] != nil
            case .store, .storeOfUpdate, .fence, .read, .write, .unlock, .sync, .spawn, .choose, .other:
                return true
            }
        }

        /// Whether the step on a lock or semaphore comes before all others on it that are still to come. The machine has all of them in
        /// one order, also those that change nothing: under tso each of them drains a buffer, so their order matters.
        ///
        /// Some step can always be next. Each of these is ordered with all of its thread's events, and what a read of another
        /// thread's store depends on comes before it in the model's order too.
        private func isNext(_ event: GraphEvent, _ thread: Int) -> Bool {
            let number = number(event, thread, added[thread] + 1)
            return !limits.indices.contains { other in
                other != thread && added[other] < limits[other]
                    && (added[other] + 1..<limits[other] + 1).contains { index in
                        let step = graph.event(other, index).pointee
                        // A thread that waits takes no step.
                        return step.kind == .loadToUpdate && step.object == event.object && step.source != .none
                            && self.number(step, other, index) < number
                    }
            }
        }

        /// The number of a step on a lock or semaphore: that of its write, which comes after all steps that find the same.
        private func number(_ event: GraphEvent, _ thread: Int, _ index: Int) -> Int {
            numbers[thread][writes(event, thread, index) ? index + 1 : index]
        }

        /// Whether the read at this position belongs to an update that writes.
        private func writes(_ event: GraphEvent, _ thread: Int, _ index: Int) -> Bool {
            event.kind == .loadToUpdate && index < graph.counts[thread]
                && graph.event(thread, index + 1).pointee.kind == .storeOfUpdate
        }

        /// A thread that waits for a value forever finds another one, the newest.
        private mutating func addLastLook(of thread: Int) {
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
            // An update is one step, and on an atomic two events.
            guard isUpdate else { return }
            added[thread] += 1
            if graph.isOrdered(event.object) { return }
            machineCounts[thread] += 1
            name(thread, index + 1)
        }

        /// The event is a message, and the thread's last one on the machine.
        private mutating func name(_ thread: Int, _ index: Int) {
            names[EventName(thread, index).word] = EventName(machineThreads[thread]!, machineCounts[thread])
        }
    }
}
