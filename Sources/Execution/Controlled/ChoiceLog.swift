import Machine

/// The choices of the present execution, in memory that is kept from one execution to the next, or that another process
/// shares: it then knows the schedule of a run that crashed.
package struct ChoiceLog {
    private var count: UnsafeMutablePointer<Int>
    private var choices: UnsafeMutablePointer<Schedule.Choice>
    private var capacity: Int
    private let isShared: Bool

    /// Grows as needed.
    init() {
        capacity = 256
        isShared = false
        count = .allocate(capacity: 1)
        count.pointee = 0
        choices = .allocate(capacity: capacity)
    }

    /// - Parameter memory: zeroed, and kept by the caller for as long as the log is used. What does not fit is not logged.
    package init(sharedMemory memory: UnsafeMutableRawBufferPointer) {
        isShared = true
        count = memory.baseAddress!.bindMemory(to: Int.self, capacity: 1)
        capacity = (memory.count - MemoryLayout<Int>.size) / MemoryLayout<Schedule.Choice>.stride
        choices = (memory.baseAddress! + MemoryLayout<Int>.size).bindMemory(
            to: Schedule.Choice.self, capacity: capacity)
    }

    func deallocate() {
        if isShared { return }
        count.deallocate()
        choices.deallocate()
    }

    func reset() { count.pointee = 0 }

    @inline(__always) mutating func append(_ choice: Schedule.Choice) {
        if count.pointee == capacity {
            if isShared { return }
            grow()
        }
        choices[count.pointee] = choice
        count.pointee += 1
    }

    package var schedule: Schedule {
        Schedule(Array(UnsafeBufferPointer(start: choices, count: min(count.pointee, capacity))))
    }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<Schedule.Choice>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: choices, count: capacity)
        choices.deallocate()
        choices = larger
        capacity *= 2
    }
}
