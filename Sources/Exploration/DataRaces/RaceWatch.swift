import Machine

/// Finds the data races of executions, by the order that synchronization gives to their steps (after FastTrack:
/// Flanagan and Freund, PLDI 2009). It finds what `RaceDetector` finds in the same execution's trace.
///
/// A program without plain cells costs only a check, and others cost nothing before the first cell exists: accesses of
/// a cell are ordered by steps between them.
package final class RaceWatch: Observer {
    /// Each cell's first race of the present execution, in the order in which they were found.
    @exclusivity(unchecked) package private(set) var races: [DataRace] = []

    /// Behind a pointer, because variables of the class would be checked for exclusive access at each use.
    private let clocks = UnsafeMutablePointer<RaceClocks>.allocate(capacity: 1)
    @exclusivity(unchecked) private var objectCount = 1
    @exclusivity(unchecked) private var kept: [(clocks: RaceClocks, races: [DataRace])] = []

    package init() {
        clocks.initialize(to: RaceClocks())
    }

    deinit {
        clocks.pointee.deallocate()
        clocks.deallocate()
        for state in kept { state.clocks.deallocate() }
    }

    package func begin() {
        clocks.pointee.reset()
        objectCount = 1
        races.removeAll(keepingCapacity: true)
    }

    package func willTake(_ step: NextStep) {
        let state = step.state
        if !state.hasCells { return }
        if state.objectCount != objectCount {
            objectCount = state.objectCount
            clocks.pointee.addObjects(upTo: objectCount)
        }
        while clocks.pointee.threadCount < state.threadCount { clocks.pointee.addThread(startedBy: step.last) }
        let operation = step.operation
        switch step.ruling.act {
        case .read: access(operation, step.thread, state)
        case .write: access(operation, step.thread, state)
        default: follow(step.ruling.act.order, operation, step.thread, state)
        }
    }

    @inline(__always) private func access(_ operation: Operation, _ thread: Int, _ state: MachineState) {
        let isWrite = operation.kind == .write
        guard let race = clocks.pointee.access(Int(operation.object), thread, writes: isWrite) else { return }
        races.append(race.on(state.identity(of: operation.object)))
    }

    /// What the step orders.
    @inline(__always) private func follow(
        _ order: Act.Order, _ operation: Operation, _ thread: Int, _ state: MachineState
    ) {
        let object = Int(operation.object)
        switch order {
        case .nothing: break
        case .acquires: clocks.pointee.acquire(object, thread)
        case .publishes: clocks.pointee.publish(object, thread)
        case .acquiresAndPublishes:
            clocks.pointee.acquire(object, thread)
            clocks.pointee.publish(object, thread)
        case .addsToPublished: clocks.pointee.add(object, thread)
        case .publishesToWriters: clocks.pointee.addReader(object, thread)
        case .acquiresFromReaders: clocks.pointee.acquireToWrite(object, thread)
        case .publishesMutex: clocks.pointee.publish(operation.a, thread)
        case .acquiresMutex: clocks.pointee.acquire(operation.a, thread)
        case .joins: if let target = Rule.target(of: operation, in: state) { clocks.pointee.join(target, thread) }
        }
    }

    // MARK: - Going back

    package var canGoBack: Bool { true }

    package func keep(_ number: Int) {
        while kept.count <= number { kept.append((RaceClocks(), [])) }
        kept[number].clocks.copy(from: clocks.pointee)
        kept[number].races = races
    }

    package func goBack(to number: Int) {
        clocks.pointee.copy(from: kept[number].clocks)
        races = kept[number].races
        objectCount = clocks.pointee.objectCount
    }
}
