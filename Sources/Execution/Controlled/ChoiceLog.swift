import Machine

/// The choices of the present execution. Its memory is kept from one execution to the next.
struct ChoiceLog {
    private var choices: UnsafeMutablePointer<Schedule.Choice>
    private var capacity = 256
    private(set) var count = 0

    init() { choices = .allocate(capacity: capacity) }

    func deallocate() { choices.deallocate() }

    mutating func reset() { count = 0 }

    @inline(__always) mutating func append(_ choice: Schedule.Choice) {
        if count == capacity { grow() }
        choices[count] = choice
        count += 1
    }

    var schedule: Schedule { Schedule(Array(UnsafeBufferPointer(start: choices, count: count))) }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<Schedule.Choice>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: choices, count: count)
        choices.deallocate()
        choices = larger
        capacity *= 2
    }
}
