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
    /// The positions of the words at the beginning of a row: its length, the numbers of choices and of events, whether
    /// it is quiet, and the numbers of threads and of objects.
    fileprivate enum Column {
        static let length = 0
        static let choices = 1
        static let events = 2
        static let isQuiet = 3
        static let threads = 4
        static let objects = 5
    }

    /// The number of these words.
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
            let length = words[start + Column.length]
            let threads = words[start + Column.threads]
            let objects = words[start + Column.objects]
            guard length >= Self.headLength, (0...MachineState.maximumThreads).contains(threads), objects >= 0,
                objects <= length, length >= Self.headLength + threads + objects, start + length <= words.count,
                words[start + Column.choices] >= last.choices, words[start + Column.events] >= last.events
            else { break }
            last = (words[start + Column.choices], words[start + Column.events])
            starts.append(start)
            start += length
        }
    }

    package var count: Int { starts.count }

    package func events(before index: Int) -> Int { words[starts[index] + Column.events] }
    package func choices(before index: Int) -> Int { words[starts[index] + Column.choices] }

    package subscript(index: Int) -> Moment {
        let start = starts[index]
        let row = words[start..<start + words[start + Column.length]]
        let threadCount = row[start + Column.threads]
        let values = row.suffix(row[start + Column.objects])
        var lists = row[(start + Self.headLength + threadCount)..<values.startIndex]
        let threads = (0..<threadCount).map { thread in
            Self.unpack(row[start + Self.headLength + thread], &lists)
        }
        return Moment(
            choices: row[start + Column.choices], events: row[start + Column.events],
            isQuiet: row[start + Column.isQuiet] != 0, threads: threads,
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

    /// The parts of a thread's word: whether the thread is enabled, whether its step is a signal, and whether its
    /// alternatives are due to a weaker memory model; then the first bits of the status, of the act, and of the number
    /// of alternatives.
    private enum Bits {
        static let enabled = 1
        static let signal = 2
        static let weak = 4
        static let statusShift = 8
        static let actShift = 16
        static let waysShift = 32
    }

    /// The greatest number of alternatives that is kept; greater ones are kept as this.
    private static let mostWays = 1 << 30

    static func pack(_ thread: Int, _ ways: Int, _ state: MachineState) -> Int {
        let status = state.thread(thread).status
        let isOver = status == .ended || status == .running
        let act = isOver ? Act.inspect : state.ruling(on: thread).act
        let isEnabled = !isOver && state.isEnabled(thread)
        let isSignal = state.operation(of: thread).kind == .signal
        let isWeak = state.hasWeakWays(thread)
        let flags = (isEnabled ? Bits.enabled : 0) | (isSignal ? Bits.signal : 0) | (isWeak ? Bits.weak : 0)
        let step = Int(status.rawValue) << Bits.statusShift | Int(act.rawValue) << Bits.actShift
        return flags | step | min(ways, mostWays) << Bits.waysShift
    }

    /// - Parameter lists: the waiters and the newer writes of this thread and of those after it. The own ones are
    ///   removed.
    private static func unpack(_ word: Int, _ lists: inout ArraySlice<Int>) -> Moment.Thread {
        let ways = word >> Bits.waysShift
        let (isSignal, isWeak) = (word & Bits.signal != 0, word & Bits.weak != 0)
        let own = ways > 1 && (isSignal || isWeak) ? Array(lists.prefix(ways)) : []
        lists = lists.dropFirst(own.count)
        return Moment.Thread(
            status: ThreadState.Status(rawValue: UInt8(word >> Bits.statusShift & 0xFF)) ?? .ended,
            isEnabled: word & Bits.enabled != 0,
            act: Act(rawValue: UInt8(word >> Bits.actShift & 0xFF)) ?? .inspect, ways: ways,
            waiters: isSignal ? own : [], newer: isSignal ? [] : own)
    }
}

/// Memory in which the process of a run records each decision, so that they are known even if the run crashes.
///
/// A decision is a row of words: the row's length, `Moment`'s numbers, a word for each thread, the waiters of signals
/// and the newer writes of steps on atomics, and a word for each object.
final class MomentBoard: Sendable {
    private struct Header: ~Copyable {
        /// The number of words in use.
        let used = Atomic(0)
    }

    private let memory: SharedMemory
    /// The size of the memory for rows, in words. Untouched pages use no memory.
    private static let capacity = 1 << 25
    /// The size of the header, in bytes. The words after it must be aligned.
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
        // An upper bound, with some room to spare: each thread has a word, and may occur in the list of every thread
        // that is about to signal.
        let weakWays = (0..<state.threadCount).reduce(0) {
            $0 + (state.hasWeakWays($1) ? state.alternatives(of: $1) : 0)
        }
        let longest =
            MomentList.headLength + state.threadCount * (state.threadCount + 3) + state.objectCount + weakWays
        guard start + longest <= Self.capacity else { return false }
        let row = words + start
        row[MomentList.Column.choices] = choices
        row[MomentList.Column.events] = events
        row[MomentList.Column.isQuiet] = isQuiet ? 1 : 0
        row[MomentList.Column.threads] = state.threadCount
        row[MomentList.Column.objects] = state.objectCount
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
        row[MomentList.Column.length] = end
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
