import Trace

/// The operations of operation queues that have not finished, and what they wait for: dependencies in a cycle, or on an
/// operation that was never added to a queue, keep them from beginning.
struct UnfinishedOperations {
    /// The unfinished operations, in the order in which they were added.
    private var added: [Addition] = []
    /// By operation: the operations on which it depends, and where each dependency was added.
    private var prior = PerObject<[Dependency]>([])
    private var begun = PerObject(false)
    private var finished = PerObject(false)

    /// An operation that was added to a queue.
    private struct Addition {
        let operation: ObjectID
        let queue: ObjectID
        let site: SiteID
    }

    /// An operation that waits for another one to finish.
    struct Dependency {
        let operation: ObjectID
        let other: ObjectID
        let site: SiteID
    }

    mutating func consume(_ event: Event) {
        if event.kind == .operationBegin { begun[event.object] = true }
        if event.kind == .operationFinish { finish(event.object) }
        guard let other = event.valueAsObject else { return }
        if event.kind == .operationDepend {
            prior[event.object].append(Dependency(operation: event.object, other: other, site: event.site))
        }
        if event.kind == .operationAdd {
            added.append(Addition(operation: event.object, queue: other, site: event.site))
        }
    }

    /// - Parameter operation: `none` in old traces, in which operations were not objects.
    private mutating func finish(_ operation: ObjectID) {
        guard operation != .none else { return }
        finished[operation] = true
        added.removeAll { $0.operation == operation }
    }

    // MARK: - Dependencies

    /// The dependencies that keep the operation from beginning.
    private func obstacles(of operation: ObjectID) -> [Dependency] { prior[operation].filter { !finished[$0.other] } }

    private func isAdded(_ operation: ObjectID) -> Bool { added.contains { $0.operation == operation } }

    /// The first cycle of dependencies: each operation waits for the next, and the last for the first. Empty if there
    /// is none.
    var cycle: [Dependency] {
        var done: Set<ObjectID> = []
        for addition in added {
            var path: [Dependency] = []
            if let cycle = findCycle(from: addition.operation, &path, &done) { return cycle }
        }
        return []
    }

    /// The cycle that is reached from the operation, if there is one that no earlier search has visited.
    ///
    /// - Parameters:
    ///   - path: the dependencies that lead to the operation.
    ///   - done: the operations that searches have visited.
    private func findCycle(
        from operation: ObjectID, _ path: inout [Dependency], _ done: inout Set<ObjectID>
    ) -> [Dependency]? {
        if let start = path.firstIndex(where: { $0.operation == operation }) { return Array(path[start...]) }
        guard done.insert(operation).inserted else { return nil }
        for dependency in obstacles(of: operation) {
            path.append(dependency)
            if let cycle = findCycle(from: dependency.other, &path, &done) { return cycle }
            path.removeLast()
        }
        return nil
    }

    /// The dependencies of added operations on operations that were never added.
    var missing: [Dependency] {
        added.flatMap { obstacles(of: $0.operation) }.filter { !isAdded($0.other) }
    }

    // MARK: - In words

    /// Why operations can never begin. Nil if no dependency keeps one from beginning forever.
    func summary(_ names: Names) -> String? {
        let cycle = cycle
        if cycle.count == 1 { return "\(names.name(cycle[0].operation)) waits for itself and can never begin." }
        if !cycle.isEmpty {
            let operations = Names.list(cycle.map { names.name($0.operation) })
            return "the operations \(operations) wait for each other in a cycle; none can ever begin."
        }
        guard let dependency = missing.first else { return nil }
        let other = names.name(dependency.other)
        return "\(names.name(dependency.operation)) can never begin: it waits for \(other), which no queue has."
    }

    /// A line for each unfinished operation: that it is running, what it waits for, or that it has not begun.
    func lines(_ names: Names) -> [String] {
        let shown = added.prefix(Self.limit).map { line($0, names) }
        let rest = added.count - shown.count
        return rest > 0 ? shown + ["And \(Names.count(rest, "operation")) more."] : shown
    }

    /// The maximum number of operations that are listed. Further ones are counted.
    private static let limit = 10

    private func line(_ addition: Addition, _ names: Names) -> String {
        let subject = "\(names.name(addition.operation)), in \(names.name(addition.queue)),"
        if begun[addition.operation] { return "\(subject) is running." }
        let others = obstacles(of: addition.operation).map { dependency in
            let place = names.place(dependency.site).map { " (\($0))" } ?? ""
            return names.name(dependency.other) + place + (isAdded(dependency.other) ? "" : ", which no queue has")
        }
        return others.isEmpty ? "\(subject) has not begun." : "\(subject) waits for \(Names.list(others))."
    }

    /// The source lines that add the dependencies of the cycle; without a cycle, of all that are missing.
    var sites: [SiteID] {
        let ofCycle = cycle.map(\.site)
        return ofCycle.isEmpty ? missing.map(\.site) : ofCycle
    }
}
