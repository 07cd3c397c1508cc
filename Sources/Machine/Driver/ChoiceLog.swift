import Synchronization

/// The choices of the present execution, in memory that is kept from one execution to the next, or that another process
/// shares: it then knows the schedule of a run that crashed.
///
/// One process appends; others only read, and may read at any time. So the two words that say what there is are atomic, and a
/// choice is in its place before it is counted. On the processors that we know, such a store is an ordinary one.
package struct ChoiceLog {
    private struct Header: ~Copyable {
        let length = Atomic(0)
        /// How many executions were begun.
        let executions = Atomic(0)
    }

    private let header: UnsafeMutablePointer<Header>
    private var choices: UnsafeMutablePointer<Schedule.Choice>
    private var capacity: Int
    private let isShared: Bool

    /// Grows as needed.
    init() {
        capacity = 256
        isShared = false
        header = .allocate(capacity: 1)
        header.initialize(to: Header())
        choices = .allocate(capacity: capacity)
    }

    /// The bytes that a shared log takes which is sure to hold the choices of so many steps.
    package static func size(for steps: Int) -> Int {
        MemoryLayout<Header>.stride + (steps * 2 + 16) * MemoryLayout<Schedule.Choice>.stride
    }

    /// - Parameter memory: zeroed, and kept by the caller for as long as the log is used. What does not fit is not logged.
    package init(sharedMemory memory: UnsafeMutableRawBufferPointer) {
        isShared = true
        let size = MemoryLayout<Header>.stride
        header = memory.baseAddress!.bindMemory(to: Header.self, capacity: 1)
        capacity = (memory.count - size) / MemoryLayout<Schedule.Choice>.stride
        choices = (memory.baseAddress! + size).bindMemory(to: Schedule.Choice.self, capacity: capacity)
    }

    func deallocate() {
        if isShared { return }
        header.deallocate()
        choices.deallocate()
    }

    /// Another execution begins.
    package func reset() {
        header.pointee.length.store(0, ordering: .releasing)
        let executions = header.pointee.executions.load(ordering: .relaxed)
        header.pointee.executions.store(executions &+ 1, ordering: .releasing)
    }

    @inline(__always) mutating func append(_ choice: Schedule.Choice) {
        let length = header.pointee.length.load(ordering: .relaxed)
        if length == capacity {
            if isShared { return }
            grow()
        }
        choices[length] = choice
        header.pointee.length.store(length &+ 1, ordering: .releasing)
    }

    /// How many choices there are.
    var length: Int { header.pointee.length.load(ordering: .relaxed) }

    /// Takes back the choices from this one on.
    func cut(to length: Int) { header.pointee.length.store(length, ordering: .releasing) }

    /// The process that writes it runs a scenario, which may write anything here.
    private var count: Int { min(max(0, header.pointee.length.load(ordering: .acquiring)), capacity) }

    /// How far the program has come: as long as it is the same, no further step was chosen.
    package var pulse: Pulse {
        Pulse(executions: header.pointee.executions.load(ordering: .acquiring), choices: count)
    }

    package struct Pulse: Equatable, Sendable {
        let executions: Int
        let choices: Int
    }

    package var schedule: Schedule {
        Schedule(Array(UnsafeBufferPointer(start: choices, count: count)))
    }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<Schedule.Choice>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: choices, count: capacity)
        choices.deallocate()
        choices = larger
        capacity *= 2
    }
}
