import Synchronization

/// Memory for the choices of the present execution. Another process that shares it can read the schedule of a run that
/// crashed. Owned by a `ChoiceLog`, or by the caller.
///
/// One process appends; others only read, and may read at any time. The header is therefore atomic, and a choice is
/// written before it is counted.
package struct ChoiceMemory {
    struct Header: ~Copyable {
        /// The number of choices.
        let length = Atomic(0)
        /// The number of executions begun.
        let executions = Atomic(0)
        /// Whether the execution is over and no code of the program runs, so that only the strategy can take time.
        let isOver = Atomic(false)
    }

    let header: UnsafeMutablePointer<Header>
    let choices: UnsafeMutablePointer<Schedule.Choice>
    let capacity: Int

    init(
        header: UnsafeMutablePointer<Header>, choices: UnsafeMutablePointer<Schedule.Choice>, capacity: Int
    ) {
        self.header = header
        self.choices = choices
        self.capacity = capacity
    }

    /// The size in bytes of a shared log for this number of steps. There is room for two choices of each step, the
    /// thread and an alternative, and for 16 others: rarely, whether time passes is a choice too.
    package static func size(for steps: Int) -> Int {
        MemoryLayout<Header>.stride + (steps * 2 + 16) * MemoryLayout<Schedule.Choice>.stride
    }

    /// - Parameter memory: zeroed, and kept by the caller for as long as the log is used. Choices that do not fit are
    ///   not logged.
    package init(_ memory: UnsafeMutableRawBufferPointer) {
        let size = MemoryLayout<Header>.stride
        header = memory.baseAddress!.bindMemory(to: Header.self, capacity: 1)
        capacity = (memory.count - size) / MemoryLayout<Schedule.Choice>.stride
        choices = (memory.baseAddress! + size).bindMemory(to: Schedule.Choice.self, capacity: capacity)
    }

    /// Begins another execution.
    package func reset() {
        header.pointee.isOver.store(false, ordering: .releasing)
        header.pointee.length.store(0, ordering: .releasing)
        let executions = header.pointee.executions.load(ordering: .relaxed)
        header.pointee.executions.store(executions &+ 1, ordering: .releasing)
    }

    /// Clamped, because the writing process runs a scenario that may overwrite this memory with anything.
    private var count: Int { min(max(0, header.pointee.length.load(ordering: .acquiring)), capacity) }

    /// Whether no code of the program runs: a strategy examines a finished execution or chooses the next one, which may
    /// take long.
    package var isOver: Bool { header.pointee.isOver.load(ordering: .acquiring) }

    /// The program's progress: if two readings are equal, nothing was chosen in between.
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
}
