import Machine

/// Searches all executions of a program under a memory model: visits each execution graph once, in memory that is
/// linear in the size of one graph (Kokologiannakis, Marmanis, Gladstein, Vafeiadis: "Truly stateless, optimal dynamic
/// partial order reduction", POPL 2022).
///
/// The graph grows by one event at a time, always of the first thread that can continue. A *message* is an event that
/// another thread can read: a store, the write of an update, or an unlock. A read is tried with each message that it
/// may read; a message, with each place in the modification order of its object.
///
/// A new message can also *revisit* a read that was added before it and on which it does not depend: the read then
/// reads the new message instead. Everything that was added after the read is removed, except what the message depends
/// on. To reach each graph only once, that is done only if the read and all removed events were added in one particular
/// way of all those possible (`isMaximal`).
package final class GraphSearch {
    /// How a graph ends: see `Counts`.
    package enum Ending: Sendable { case completed, failed, stuck, unfinished }

    /// What a thread can do next.
    enum Status: UInt8, BitwiseCopyable {
        /// It can take its operation, unless that is a join, or a start, that has to wait for another thread.
        case ready
        /// The read of its update is done, and the write is next.
        case updating
        /// It waits for something that this graph does not have, and perhaps another graph has (`canContinue`).
        case waiting
        case ended, failed
    }

    /// The present graph.
    package let graph: ExecutionGraph
    unowned(unsafe) let subject: any GraphSubject
    /// Keeps `subject` alive, whose uses need not count references.
    private let owned: any GraphSubject
    let threadCount: Int
    /// By thread.
    let statuses: OwnedBuffer<Status>

    /// The numbers of finished graphs, by their ending.
    package struct Counts: Equatable, Sendable {
        /// Graphs in which all threads end; `failed`: in which a thread fails.
        package var complete = 0
        package var failed = 0
        /// Graphs in which threads wait forever.
        package var stuck = 0
        /// Graphs in which a thread waits for something that another graph has.
        package var unfinished = 0

        package init() {}
    }

    /// The variables of the search.
    struct Work: ~Copyable {
        var counts = Counts()
        /// Two stacks, from which changes are undone: the saved states of threads (`keepWords`), and the events that
        /// were removed for a revisit.
        var words = OwnedBuffer<Int>(capacity: 1 << 14)
        var wordsEnd = 0
        var removed = OwnedBuffer<GraphEvent>(capacity: 256)
        var removedEnd = 0
        /// The number of nested choices.
        var depth = 0
        var isStopped = false
        /// Why the program cannot be searched.
        var obstacle: Obstacle?
        /// While `onEnd` examines a graph in which a thread has failed: the thread's last event.
        var failedEvent: EventName?
    }

    let work = Owned(Work())
    /// Called at the end of each execution. Returns whether the search continues.
    package var onEnd: ((Ending) -> Bool)?
    /// Called for each race, with the two accesses. Returns whether the search continues.
    package var onRace: ((EventName, EventName) -> Bool)?

    /// By object: what it is.
    let kinds: OwnedBuffer<ObjectState.Kind>
    /// By thread: the object through which others start and join it. 0: it exists from the beginning.
    let seats: OwnedBuffer<UInt32>
    /// The number of compare-exchanges in a graph that may fail although they find the expected value.
    let mostSpurious: Int
    /// Restricts the search to a part. Nil: all graphs are searched.
    var guide: GraphGuide?

    /// - Parameter spurious: the number of compare-exchanges in an execution that may fail although they find the
    ///   expected value.
    package init(_ subject: any GraphSubject, _ model: MemoryModel, spurious: Int = 0) {
        self.subject = subject
        owned = subject
        threadCount = subject.threadCount
        graph = ExecutionGraph(
            model, threads: threadCount, words: subject.initialWords, haveMessages: subject.haveMessages,
            ordered: subject.areOrdered)
        kinds = OwnedBuffer([.other] + subject.kinds)
        seats = OwnedBuffer(subject.seats)
        mostSpurious = spurious
        statuses = OwnedBuffer(repeating: .ready, count: threadCount)
    }

    package var counts: Counts { work.pointee.counts }
    /// Whether the search was stopped before it had visited all graphs.
    package var isStopped: Bool { work.pointee.isStopped }
    /// Why the program cannot be searched. Nil: it can.
    package var obstacle: Obstacle? { work.pointee.obstacle }
    /// In a call of `onEnd` for a graph in which a thread has failed: the thread's last event.
    package var failedEvent: EventName? { work.pointee.failedEvent }
    /// The number of events of the present graph.
    package var stepCount: Int { (0..<threadCount).reduce(0) { $0 + graph.counts[$1] } }

    /// The maximum number of nested choices. More would need more stack than the search's thread has (`SearchThread`).
    static let mostDepth = 2_500

    /// Searches all graphs, or those of the guide's part, from the beginning.
    package func run() {
        graph.reset()
        work.pointee.counts = Counts()
        work.pointee.isStopped = false
        for thread in 0..<threadCount { statuses[thread] = .ready }
        subject.begin(graph)
        visit()
    }

    // MARK: - The next event

    /// Searches all graphs that begin with the present one, and leaves the graph as it was. Called for each way of a
    /// choice, so the recursion is as deep as choices are nested.
    func visit() {
        let depth = work.pointee.depth
        if let guide, !guide.enters(depth) { return }
        var added = Added()
        work.pointee.depth = depth + 1
        while !work.pointee.isStopped {
            guard let thread = nextThread() else {
                conclude()
                break
            }
            if work.pointee.depth > Self.mostDepth || graph.counts[thread] >= ExecutionGraph.mostEvents {
                stop(.tooLong)
                break
            }
            if !takeAlone(thread, &added) {
                if let guide, guide.chooses(depth) { _ = takeAlone(thread, &added) }
                break
            }
        }
        if let guide, !work.pointee.isStopped, !guide.leaves(depth) { stop(.misjudged) }
        work.pointee.depth = depth
        while let thread = added.removeLast() { takeBack(thread) }
    }

    /// Stops the search, because it cannot search the program.
    func stop(_ obstacle: Obstacle) {
        work.pointee.isStopped = true
        work.pointee.obstacle = obstacle
    }

    /// The first thread that can continue.
    private func nextThread() -> Int? {
        for thread in 0..<threadCount {
            switch statuses[thread] {
            case .updating: return thread
            case .ready:
                let operation = subject.place(ofOperationOf: thread)
                if operation.pointee.kind == .join && !canBeTaken(operation) { continue }
                if operation.pointee.kind == .start && !isStarted(thread) { continue }
                return thread
            case .waiting, .ended, .failed: continue
            }
        }
        return nil
    }

    private func canBeTaken(_ join: UnsafeMutablePointer<Operation>) -> Bool {
        if join.pointee.object != 0 { return isSettled(join.pointee) }
        return statuses[join.pointee.a] == .ended
    }

    /// Takes the thread's operation. If it is a choice, searches each of the ways to take it.
    ///
    /// - Returns: whether there was only one way. The graph then contains it, and the caller continues.
    private func takeAlone(_ thread: Int, _ added: inout Added) -> Bool {
        let operation = subject.place(ofOperationOf: thread).pointee
        switch operation.kind.row.graph {
        case .read where graph.model == .sc, .load: return load(thread, operation)
        case .write where graph.model == .sc, .store: return store(operation.a, .store, thread, operation)
        case .loadToUpdate where graph.isOrdered(operation.object): return takeObject(thread, operation)
        case .loadToUpdate where operation.kind == .lock: return lock(thread, operation)
        case .loadToUpdate where operation.kind == .unlock:
            let found = word(ofPlainMutex: operation.object)
            if step(operation, thread, finding: found).ruling.act != .misuse {
                unlock(thread, operation)
                return false
            }
        case .loadToUpdate:
            if statuses[thread] == .updating {
                let read = graph.lastEvent(of: thread)
                return store(operation.word(after: read.pointee.value)!, .storeOfUpdate, thread, operation)
            }
            return update(thread, operation)
        case .choose: return choose(thread, operation)
        case .start, .fence, .read, .write, .spawn, .join, .other: break
        case .lock, .unlock, .sync, .storeOfUpdate, nil: preconditionFailure("the operation has no graph")
        }
        added.append(thread)
        takeOrdered(thread, operation)
        return true
    }

    /// Takes an operation that can be taken in only one way, whatever the other threads have done.
    func takeOrdered(_ thread: Int, _ operation: Operation) {
        let words = keepWords(of: thread)
        let name = EventName(thread, graph.counts[thread] + 1)
        var result = 0
        var isMisuse = false
        let event: UnsafeMutablePointer<GraphEvent>
        switch operation.kind.row.graph {
        case .fence:
            event = graph.append(.fence, thread, 0, operation.orders.order)
            graph.fence(event)
        case .read, .write:
            event = graph.append(operation.kind == .read ? .read : .write, thread, operation.object, .relaxed)
            event.pointee.word = operation.a
            if let other = graph.race(of: event, by: thread) { note(race: other, name) }
            let latest = graph.latestWrite(of: operation.object, before: event, thread)
            event.pointee.source = latest
            result = graph.word(of: latest, operation.object)
            event.pointee.value = result
        case .join where operation.object != 0: (event, result, isMisuse) = joinStarted(thread, operation)
        case .spawn: (event, result) = spawn(thread, operation)
        case .join:
            let other = otherJoin(operation)
            event = graph.append(.join, thread, 0, .relaxed)
            if let other { graph.come(event, after: other) }
            isMisuse = other != nil
            event.pointee.value = operation.a
            graph.follow(event, graph.lastEvent(of: operation.a))
            result = 1
        case .loadToUpdate:
            isMisuse = true
            event = graph.append(.other, thread, operation.object, .relaxed)
        case .start:
            event = graph.append(.start, thread, 0, .relaxed)
            if let spawn = start(of: thread) { graph.follow(event, graph.event(spawn)) }
        case .other: event = graph.append(.other, thread, 0, .relaxed)
        case .choose, .load, .store, .storeOfUpdate, .lock, .unlock, .sync, nil:
            preconditionFailure("the operation leaves a choice, or has no graph")
        }
        event.pointee.note = words
        if isMisuse {
            statuses[thread] = .failed
            return
        }
        complete(thread, result)
    }

    private func note(race earlier: EventName, _ later: EventName) {
        // A race on the way to several parts is reported by one of them.
        if let guide, !guide.owns(work.pointee.depth - 1) { return }
        if let onRace, !onRace(earlier, later) { work.pointee.isStopped = true }
    }

    /// Takes a `choose` with each of its numbers.
    private func choose(_ thread: Int, _ operation: Operation) -> Bool {
        for number in 0..<operation.a where !work.pointee.isStopped {
            let words = keepWords(of: thread)
            let event = graph.append(.choose, thread, 0, .relaxed)
            event.pointee.value = number
            event.pointee.note = words
            complete(thread, number)
            visit()
            takeBack(thread)
        }
        return false
    }

    // MARK: - Threads

    /// Continues the thread, whose operation has this result, to its next operation.
    @inline(always) func complete(_ thread: Int, _ result: Int) {
        switch subject.complete(thread, result) {
        case .operation:
            let isWaiting = subject.place(ofOperationOf: thread).pointee.isRenewedLook || isInUselessRound(thread)
            statuses[thread] = isWaiting ? .waiting : .ready
        case .ended: statuses[thread] = .ended
        case .failed: statuses[thread] = .failed
        }
    }

    /// Removes the thread's last event, and restores the thread's state before it.
    @inline(always) func takeBack(_ thread: Int) {
        let note = Int(graph.lastEvent(of: thread).pointee.note)
        graph.removeLast(of: thread)
        restoreWords(of: thread, from: note)
        work.pointee.wordsEnd = note
    }

    /// Saves the thread's state (status, operation and words) on the stack `work.words`.
    ///
    /// - Returns: its position there.
    @inline(always) func keepWords(of thread: Int) -> Int32 {
        let count = subject.wordCount(of: thread)
        let start = work.pointee.wordsEnd
        work.pointee.words.reserve(start + count + Self.headWords, keeping: start)
        let place = work.pointee.words.base + start
        place[0] = count << Self.statusBits | Int(statuses[thread].rawValue)
        UnsafeMutableRawPointer(place + 1).assumingMemoryBound(to: Operation.self).pointee =
            subject.place(ofOperationOf: thread).pointee
        (place + Self.headWords).update(from: subject.words(of: thread), count: count)
        work.pointee.wordsEnd = start + count + Self.headWords
        return Int32(truncatingIfNeeded: start)
    }

    /// The number of words before the thread's own words in a saved state: one for the status (in its lowest bits) and
    /// the number of words, the others for the operation.
    static let headWords = 1 + (MemoryLayout<Operation>.stride + 7) / 8
    @inline(__always) static var statusBits: Int { 8 }

    @inline(always) func restoreWords(of thread: Int, from start: Int) {
        let place = work.pointee.words.base + start
        statuses[thread] = Status(rawValue: UInt8(truncatingIfNeeded: place[0]))!
        subject.place(ofOperationOf: thread).pointee =
            UnsafeMutableRawPointer(place + 1).assumingMemoryBound(to: Operation.self).pointee
        subject.words(of: thread).update(from: place + Self.headWords, count: place[0] >> Self.statusBits)
    }

    // MARK: - The end

    /// No thread can continue: counts the finished graph, and reports it.
    private func conclude() {
        let ending = self.ending
        if work.pointee.obstacle != nil { return }
        let failed = ending == .failed ? (0..<threadCount).first { statuses[$0] == .failed } : nil
        work.pointee.failedEvent = failed.map { EventName($0, graph.counts[$0]) }
        switch ending {
        case .completed: work.pointee.counts.complete += 1
        case .failed: work.pointee.counts.failed += 1
        case .stuck: work.pointee.counts.stuck += 1
        case .unfinished: work.pointee.counts.unfinished += 1
        }
        if let onEnd, !onEnd(ending) { work.pointee.isStopped = true }
    }

    private var ending: Ending {
        var isWaiting = false
        for thread in 0..<threadCount {
            switch statuses[thread] {
            case .failed: return .failed
            case .ended: break
            case .ready: if isStarted(thread) { isWaiting = true }
            case .updating, .waiting: isWaiting = true
            }
        }
        guard isWaiting else {
            if !hasJoinedAll { stop(.sharedThread) }
            return .completed
        }
        for thread in 0..<threadCount where statuses[thread] == .waiting && canContinue(thread) { return .unfinished }
        return .stuck
    }
}

/// The threads of events that one visit has added, in order.
struct Added {
    private var threads: [UInt8] = []

    mutating func append(_ thread: Int) { threads.append(UInt8(thread)) }

    mutating func removeLast() -> Int? { threads.popLast().map { Int($0) } }
}
