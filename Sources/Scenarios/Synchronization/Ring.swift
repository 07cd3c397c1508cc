import Primitives

/// A ring of slots in plain memory. Its user must exclude all other threads.
struct Ring {
    /// The content of an empty slot.
    static let nothing = 0

    let slots: [Shared<Int>]
    /// The number of items ever put in, and taken out.
    let puts = Shared("put counter", 0)
    let takes = Shared("take counter", 0)

    init(capacity: Int) { slots = (1...capacity).map { Shared("slot \($0)", Ring.nothing) } }

    func isEmpty() throws -> Bool { try puts.read() == takes.read() }
    func isFull() throws -> Bool { try puts.read() - takes.read() == slots.count }

    func append(_ item: Int) throws {
        let number = try puts.read()
        let slot = slots[number % slots.count]
        let present = try slot.read()
        try check(present == Ring.nothing, "item \(item) would overwrite item \(present), which has not been taken")
        try slot.write(item)
        try puts.write(number + 1)
    }

    func removeFirst() throws -> Int {
        let number = try takes.read()
        let slot = slots[number % slots.count]
        let item = try slot.read()
        try check(item != Ring.nothing, "\(Thread.current.name) found nothing in the slot whose turn it is")
        try slot.write(Ring.nothing)
        try takes.write(number + 1)
        return item
    }
}
