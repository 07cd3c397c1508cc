import Machine

/// The choices of the present execution, in memory that is kept from one execution to the next, or that another process
/// shares: it then knows the schedule of a run that crashed.
package struct ChoiceLog {
    private let length: UnsafeMutablePointer<Int>
    private var choices: UnsafeMutablePointer<Schedule.Choice>
    private var capacity: Int
    private let isShared: Bool

    /// Grows as needed.
    init() {
        capacity = 256
        isShared = false
        length = .allocate(capacity: 1)
        length.pointee = 0
        choices = .allocate(capacity: capacity)
    }

    /// - Parameter memory: zeroed, and kept by the caller for as long as the log is used. What does not fit is not logged.
    package init(sharedMemory memory: UnsafeMutableRawBufferPointer) {
        isShared = true
        length = memory.baseAddress!.bindMemory(to: Int.self, capacity: 1)
        capacity = (memory.count - MemoryLayout<Int>.size) / MemoryLayout<Schedule.Choice>.stride
        choices = (memory.baseAddress! + MemoryLayout<Int>.size).bindMemory(
            to: Schedule.Choice.self, capacity: capacity)
    }

    func deallocate() {
        if isShared { return }
        length.deallocate()
        choices.deallocate()
    }

    package func reset() { length.pointee = 0 }

    @inline(__always) mutating func append(_ choice: Schedule.Choice) {
        if length.pointee == capacity {
            if isShared { return }
            grow()
        }
        choices[length.pointee] = choice
        length.pointee += 1
    }

    /// How many choices there are.
    package var count: Int { min(length.pointee, capacity) }

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
