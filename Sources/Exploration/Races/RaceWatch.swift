import Machine

/// Finds the data races of the executions that another strategy decides, by the order that their synchronisation puts steps in
/// (after FastTrack: Flanagan and Freund, PLDI 2009). It finds what `RaceDetector` finds in the same execution's trace.
///
/// A program without plain cells pays only for being looked at, and others not before there is a cell: an order between accesses of a
/// cell comes from steps between them.
package final class RaceWatch: Watch {
    /// Each cell's first race of the present execution, in the order in which they were found.
    package private(set) var races: [Race] = []

    /// Behind a pointer, because variables of the class would be checked for exclusive access at each use.
    private let clocks = UnsafeMutablePointer<RaceClocks>.allocate(capacity: 1)
    private var objectCount = 1
    private var hasCells = false
    /// Whether the last step that was looked at is part of the last race.
    private var isLastStepRacy = false
    private var kept: [(clocks: RaceClocks, races: [Race], hasCells: Bool)] = []

    package override init(_ strategy: any Strategy) {
        clocks.initialize(to: RaceClocks())
        super.init(strategy)
    }

    deinit {
        clocks.pointee.deallocate()
        clocks.deallocate()
        for state in kept { state.clocks.deallocate() }
    }

    override func reset() {
        clocks.pointee.reset()
        objectCount = 1
        hasCells = false
        isLastStepRacy = false
        races.removeAll(keepingCapacity: true)
    }

    override func look(at thread: Int, after last: Int, _ state: MachineState) {
        if state.objectCount != objectCount { meetObjects(state) }
        if !hasCells { return }
        while clocks.pointee.threadCount < state.threadCount { clocks.pointee.addThread(startedBy: last) }
        isLastStepRacy = false
        let operation = state.operation(of: thread)
        switch operation.kind {
        case .read: access(operation, thread)
        case .write: access(operation, thread)
        default: follow(operation, of: thread, state)
        }
    }

    private func meetObjects(_ state: MachineState) {
        for object in objectCount..<state.objectCount where state.object(UInt32(object)).kind == .cell {
            hasCells = true
        }
        objectCount = state.objectCount
        if hasCells { clocks.pointee.addObjects(upTo: objectCount) }
    }

    @inline(__always) private func access(_ operation: Operation, _ thread: Int) {
        let isWrite = operation.kind == .write
        guard let race = clocks.pointee.access(Int(operation.object), thread, writes: isWrite) else { return }
        races.append(race)
        isLastStepRacy = true
    }

    /// A step that the limit of steps cut off was looked at, and not taken.
    override func finish(_ verdict: Verdict) {
        if verdict == .stepLimit && isLastStepRacy { races.removeLast() }
    }

    // MARK: - What a step orders

    /// If the step is to succeed: whoever takes a lock has seen all that was done before it was given back; and likewise for
    /// semaphores, atomics, and the end of threads.
    private func follow(_ operation: Operation, of thread: Int, _ state: MachineState) {
        let object = Int(operation.object)
        let word = state.object(operation.object)
        let isFree = word.owner == 0
        let isMine = word.owner == Int32(thread + 1)
        switch operation.kind {
        case .lock, .tryLock, .lockUntil: if isFree || isMine { clocks.pointee.acquire(object, thread) }
        case .unlock: if isMine { clocks.pointee.publish(object, thread) }
        case .wait: followWait(operation, of: thread, state)
        case .semaphoreWait, .semaphoreTryWait, .semaphoreWaitUntil:
            if word.value > 0 { clocks.pointee.acquire(object, thread) }
        case .semaphoreSignal: if word.value < Int(Int32.max) { clocks.pointee.add(object, thread) }
        case .readLock, .tryReadLock, .readLockUntil:
            if state.letsReadersIn(operation.object) { clocks.pointee.acquire(object, thread) }
        case .writeLock, .tryWriteLock, .writeLockUntil:
            if isFree && word.count == 0 { clocks.pointee.acquireToWrite(object, thread) }
        case .unlockShared:
            if isMine {
                clocks.pointee.publish(object, thread)
            } else if state.holdsToRead(operation.object, thread) {
                clocks.pointee.addReader(object, thread)
            }
        case .load: clocks.pointee.acquire(object, thread)
        case .store: clocks.pointee.publish(object, thread)
        case .exchange, .add, .bitAnd, .bitOr, .bitXor:
            clocks.pointee.acquire(object, thread)
            clocks.pointee.publish(object, thread)
        case .compareExchange:
            clocks.pointee.acquire(object, thread)
            if word.value == operation.a { clocks.pointee.publish(object, thread) }
        case .join, .tryJoin, .joinUntil: followJoin(operation.a, by: thread, state)
        default: break
        }
    }

    /// A wait gives its mutex back, and takes it again when it is over. A signal by itself orders nothing.
    private func followWait(_ wait: Operation, of thread: Int, _ state: MachineState) {
        switch state.thread(thread).status {
        case .announced:
            if state.object(UInt32(wait.a)).owner == Int32(thread + 1) { clocks.pointee.publish(wait.a, thread) }
        case .waking: clocks.pointee.acquire(wait.a, thread)
        default: break
        }
    }

    private func followJoin(_ target: Int, by thread: Int, _ state: MachineState) {
        let joined = state.thread(target)
        if joined.status == .ended && !joined.isJoined && !joined.isDetached { clocks.pointee.join(target, thread) }
    }

    // MARK: - Going back

    override var goesBack: Bool { true }

    override func keep(_ number: Int) {
        while kept.count <= number { kept.append((RaceClocks(), [], false)) }
        kept[number].clocks.copy(from: clocks.pointee)
        kept[number].races = races
        kept[number].hasCells = hasCells
    }

    override func goBack(to number: Int) {
        clocks.pointee.copy(from: kept[number].clocks)
        races = kept[number].races
        hasCells = kept[number].hasCells
        objectCount = clocks.pointee.objectCount
    }
}
