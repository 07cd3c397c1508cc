import Machine
import Synchronization

/// The state of a controlled run at one decision: what could happen next, according to the machine. Programs that step
/// through a run show it.
package struct Moment: Equatable, Sendable {
    /// One thread at this moment.
    package struct Thread: Equatable, Sendable {
        package var status: ThreadState.Status
        package var isEnabled: Bool
        /// What its next step does or, if the thread is blocked, will do once it can be taken.
        package var act: Act
        /// The number of alternatives of the step: see `MachineState.alternatives`.
        package var ways: Int
        /// If the step wakes one of several waiters: the waiters, by alternative.
        package var waiters: [Int]
        /// If the step is on an atomic, under a weaker memory model, and has several alternatives: for each of them,
        /// the number of writes that are newer than the one that it reads or makes.
        package var newer: [Int] = []
    }

    /// The number of choices in the schedule before this moment.
    package var choices: Int
    /// The number of events of the run before this moment.
    package var events: Int
    /// Whether the only thing that can happen is that a wait ends without a signal. The choice is whether it does (1)
    /// or not (0).
    package var isQuiet: Bool
    /// The threads, by number.
    package var threads: [Thread]
    /// By number of the object: the value of memory, or the permits of a semaphore. Nil: it is another kind of object.
    package var values: [Int?]

    package var enabled: [Int] { threads.indices.filter { threads[$0].isEnabled } }
}

/// The decisions of a run, in order. Each is decoded when it is used, so that a long run is read quickly.
package struct MomentList: Sendable {
    /// The number of words at the beginning of a row: its length, the numbers of choices and of events, whether it is
    /// quiet, and the numbers of threads and of objects.
    static let headLength = 6

    private var words: [Int] = []
    /// The indices in `words` at which rows begin.
    private var starts: [Int] = []

    package init() {}

    /// - Parameter words: the rows of a `MomentBoard`. Everything from the first invalid row on is dropped.
    init(_ words: [Int]) {
        self.words = words
        var start = 0
        var last = (choices: 0, events: 0)
        while start + Self.headLength <= words.count {
            let length = words[start]
            let threads = words[start + 4]
            let objects = words[start + 5]
            guard length >= Self.headLength, (0...MachineState.maximumThreads).contains(threads), objects >= 0,
                objects <= length, length >= Self.headLength + threads + objects, start + length <= words.count,
                words[start + 1] >= last.choices, words[start + 2] >= last.events
            else { break }
            last = (words[start + 1], words[start + 2])
            starts.append(start)
            start += length
        }
    }

    package var count: Int { starts.count }

    package func events(before index: Int) -> Int { words[starts[index] + 2] }
    package func choices(before index: Int) -> Int { words[starts[index] + 1] }

    package subscript(index: Int) -> Moment {
        let row = words[starts[index]..<starts[index] + words[starts[index]]]
        let start = row.startIndex
        let values = row.suffix(row[start + 5])
        var lists = row[(start + Self.headLength + row[start + 4])..<values.startIndex]
        let threads = (0..<row[start + 4]).map { thread in
            Self.unpack(row[start + Self.headLength + thread], &lists)
        }
        return Moment(
            choices: row[start + 1], events: row[start + 2], isQuiet: row[start + 3] != 0, threads: threads,
            values: values.map { $0 == Self.noValue ? nil : $0 })
    }

    // MARK: - An object, and a thread, in one word each

    private static let noValue = Int.min

    static func pack(_ object: ObjectState) -> Int {
        switch object.kind {
        case .cell, .atomic, .semaphore: object.value
        case .normalMutex, .errorCheckingMutex, .recursiveMutex, .condition, .readersFirstLock, .writersFirstLock,
            .file, .counted, .seat, .other:
            noValue
        }
    }

    /// Bits 0 to 2: whether the thread is enabled, whether its step is a signal, and whether its alternatives are due
    /// to a weaker memory model. From bit 8 the status, from bit 16 the act, and from bit 32 the number of
    /// alternatives.
    static func pack(_ thread: Int, _ ways: Int, _ state: MachineState) -> Int {
        let status = state.thread(thread).status
        let isOver = status == .ended || status == .running
        let act = isOver ? Act.inspect : state.ruling(on: thread).act
        let isEnabled = !isOver && state.isEnabled(thread)
        let isSignal = state.operation(of: thread).kind == .signal
        let isWeak = state.hasWeakWays(thread)
        return (isEnabled ? 1 : 0) | (isSignal ? 2 : 0) | (isWeak ? 4 : 0) | Int(status.rawValue) << 8 | Int(
            act.rawValue) << 16
            | min(ways, 1 << 30) << 32
    }

    private static func unpack(_ word: Int, _ lists: inout ArraySlice<Int>) -> Moment.Thread {
        let ways = word >> 32
        let (isSignal, isWeak) = (word & 2 != 0, word & 4 != 0)
        let own = ways > 1 && (isSignal || isWeak) ? Array(lists.prefix(ways)) : []
        lists = lists.dropFirst(own.count)
        return Moment.Thread(
            status: ThreadState.Status(rawValue: UInt8(word >> 8 & 0xFF)) ?? .ended, isEnabled: word & 1 != 0,
            act: Act(rawValue: UInt8(word >> 16 & 0xFF)) ?? .inspect, ways: ways,
            waiters: isSignal ? own : [], newer: isSignal ? [] : own)
    }
}

/// Memory in which the process of a run records each decision, so that they are known even if the run crashes.
///
/// A decision is a row of words: the row's length, `Moment`'s numbers, a word for each thread, the waiters of signals
/// and the newer writes of steps on atomics, and a word for each object.
final class MomentBoard: Sendable {
    private struct Header: ~Copyable {
        let used = Atomic(0)
    }

    private let memory: SharedMemory
    /// In words. Untouched pages use no memory.
    private static let capacity = 1 << 25
    private static let headerSize = 64

    init() throws(SupervisionFailed) {
        memory = try SharedMemory(
            size: Self.headerSize + Self.capacity * MemoryLayout<Int>.stride, for: "the decisions of a run")
        memory.bytes.bindMemory(to: Header.self).baseAddress!.initialize(to: Header())
    }

    private var header: UnsafeMutablePointer<Header> {
        memory.bytes.baseAddress!.assumingMemoryBound(to: Header.self)
    }

    private var words: UnsafeMutablePointer<Int> {
        (memory.bytes.baseAddress! + Self.headerSize).assumingMemoryBound(to: Int.self)
    }

    // MARK: - In the run's process

    /// Records a decision.
    ///
    /// - Returns: false if there is no room left.
    func append(choices: Int, events: Int, isQuiet: Bool, _ state: MachineState) -> Bool {
        let start = header.pointee.used.load(ordering: .relaxed)
        // An upper bound: each thread has a word, and may occur in the list of every thread that is about to signal.
        let weakWays = (0..<state.threadCount).reduce(0) {
            $0 + (state.hasWeakWays($1) ? state.alternatives(of: $1) : 0)
        }
        let longest =
            MomentList.headLength + state.threadCount * (state.threadCount + 3) + state.objectCount + weakWays
        guard start + longest <= Self.capacity else { return false }
        let row = words + start
        row[1] = choices
        row[2] = events
        row[3] = isQuiet ? 1 : 0
        row[4] = state.threadCount
        row[5] = state.objectCount
        var end = MomentList.headLength + state.threadCount
        for thread in 0..<state.threadCount {
            let ways = state.alternatives(of: thread)
            row[MomentList.headLength + thread] = MomentList.pack(thread, ways, state)
            guard ways > 1 else { continue }
            for newer in state.newerWrites(thread, ways: ways) {
                row[end] = newer
                end += 1
            }
            let operation = state.operation(of: thread)
            guard operation.kind == .signal else { continue }
            for waiter in state.waiters(on: operation.object).prefix(ways) {
                row[end] = waiter
                end += 1
            }
        }
        for object in 0..<state.objectCount {
            row[end] = MomentList.pack(state.object(UInt32(object)))
            end += 1
        }
        row[0] = end
        header.pointee.used.store(start + end, ordering: .releasing)
        return true
    }

    // MARK: - In the supervisor's process

    /// A copy of the decisions. The run's process may have overwritten them with anything.
    var list: MomentList {
        let used = min(max(0, header.pointee.used.load(ordering: .acquiring)), Self.capacity)
        return MomentList(Array(UnsafeBufferPointer(start: words, count: used)))
    }
}
