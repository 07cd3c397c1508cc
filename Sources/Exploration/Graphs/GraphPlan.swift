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
    }

    private(set) var steps: [Step] = []
    /// The places of the graph's messages in modification order, by their names.
    private(set) var places: [Int32: Int] = [:]

    /// - Parameter last: the events of interest, in the order in which they shall come. Empty: all events.
    init(_ graph: ExecutionGraph, _ last: [EventName] = []) {
        var builder = Builder(graph)
        if last.isEmpty {
            builder.addAll()
        } else {
            for name in last { builder.addPrefix(of: name) }
            for name in last { builder.add(upTo: name) }
        }
        steps = builder.steps
        for object in 1..<graph.objectCount {
            for place in 0..<graph.messageCount(of: UInt32(object)) {
                places[graph.message(UInt32(object), at: place).word] = place
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

        init(_ graph: ExecutionGraph) {
            self.graph = graph
            // The main thread takes no step for its first event.
            added = (0..<graph.threadCount).map { $0 == 0 && graph.counts[0] > 0 ? 1 : 0 }
            limits = added
        }

        mutating func addAll() {
            for thread in limits.indices { limits[thread] = graph.counts[thread] }
            addPossible()
            for thread in limits.indices { addLastLook(of: thread) }
        }

        /// Adds what comes before the event, and not the event.
        mutating func addPrefix(of name: EventName) {
            let prefix = graph.event(name).pointee.prefix
            for thread in limits.indices { limits[thread] = max(limits[thread], graph.entry(prefix, thread)) }
            limits[name.thread] = max(added[name.thread], name.index - 1)
            addPossible()
        }

        mutating func add(upTo name: EventName) {
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
                return source != .none && (source == .initial || added[source.thread] >= source.index)
            case .join: return added[event.pointee.value] == graph.counts[event.pointee.value]
            case .start, .store, .storeOfUpdate, .fence, .read, .write, .unlock, .sync, .spawn, .choose, .other:
                return true
            }
        }

        /// A thread that waits for a value forever finds another one, the newest.
        private mutating func addLastLook(of thread: Int) {
            guard graph.counts[thread] > 0 else { return }
            let last = graph.lastEvent(of: thread).pointee
            guard last.kind == .load && last.source == .none else { return }
            let newest = graph.message(last.object, at: graph.messageCount(of: last.object) - 1)
            steps.append(Step(thread: thread, kind: .load, source: newest, number: 0))
        }

        private mutating func addNext(of thread: Int) {
            added[thread] += 1
            let event = graph.event(thread, added[thread]).pointee
            let number = event.kind == .choose ? event.value : Int(event.place)
            steps.append(Step(thread: thread, kind: event.kind, source: event.source, number: number))
            // An update is one step.
            guard event.kind == .loadToUpdate, added[thread] < graph.counts[thread],
                graph.event(thread, added[thread] + 1).pointee.kind == .storeOfUpdate
            else { return }
            added[thread] += 1
        }
    }
}

/// Follows a plan, and then the rule for what comes after a schedule.
final class GraphChooser: Chooser {
    private let plan: GraphPlan
    private var position = 0

    init(_ plan: GraphPlan) { self.plan = plan }

    func begin() { position = 0 }

    var cycleSearch: CycleSearch { .sometimes }

    func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16? {
        guard position < plan.steps.count else { return chooseByDefault(enabled, last: last) }
        let thread = UInt16(plan.steps[position].thread)
        position += 1
        return enabled.contains(thread) ? thread : nil
    }

    func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? {
        guard position > 0, position <= plan.steps.count, plan.steps[position - 1].thread == Int(thread) else {
            return 0
        }
        let step = plan.steps[position - 1]
        switch step.kind {
        case .choose: return step.number
        case .load, .loadToUpdate:
            return way(of: Int(thread), count, state) { memory, object, place in
                memory.graph.message(object, at: place) == step.source
            }
        case .store:
            return way(of: Int(thread), count, state) { memory, object, place in
                place == 0 || plan.place(of: memory.graph.message(object, at: place - 1)) < step.number
            }
        case .start, .storeOfUpdate, .fence, .read, .write, .lock, .unlock, .sync, .spawn, .join, .other: return 0
        }
    }

    /// The first way, from the newest on, whose place is the one that is meant.
    private func way(
        of thread: Int, _ count: Int, _ state: MachineState, _ isMeant: (WeakMemory, UInt32, Int) -> Bool
    ) -> Int? {
        guard let memory = state.weakMemory else { return nil }
        let object = state.operation(of: thread).object
        return (0..<count).first { isMeant(memory, object, memory.place(ofWay: $0)) }
    }
}
