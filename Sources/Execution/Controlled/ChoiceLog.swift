import Machine

/// The choices of the present execution, in memory that is kept from one execution to the next, or that another process
/// shares: it then knows the schedule of a run that crashed.
package struct ChoiceLog {
    private struct Header {
        var length = 0
        /// How many executions were begun.
        var executions = 0
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
        header.pointee.length = 0
        header.pointee.executions += 1
    }

    @inline(__always) mutating func append(_ choice: Schedule.Choice) {
        if header.pointee.length == capacity {
            if isShared { return }
            grow()
        }
        choices[header.pointee.length] = choice
        header.pointee.length += 1
    }

    private var count: Int { min(header.pointee.length, capacity) }

    /// How far the program has come: as long as it is the same, no further step was chosen.
    package var pulse: Pulse { Pulse(executions: header.pointee.executions, choices: count) }

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
