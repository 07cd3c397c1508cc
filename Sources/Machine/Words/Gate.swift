/// What blocks a thread's next step, in one word, so that the enabled threads can be found at every step without
/// examining their operations.
package struct Gate: Equatable, Sendable, BitwiseCopyable {
    /// The number of the object that has to be free, or 0; -1: closed. Below that: the thread whose end decides a join,
    /// or unclear.
    let word: Int32

    @inline(always) init(word: Int32) { self.word = word }

    /// Nothing: object 0 does not exist, and is always free.
    package static var open: Gate { Gate(word: 0) }

    /// It will not open by itself: the thread runs, has ended, or waits to be woken.
    package static var closed: Gate { Gate(word: -1) }

    /// More than one word can express.
    package static var unclear: Gate { Gate(word: .min) }

    /// No thread may own the object.
    package static func object(_ number: UInt32) -> Gate { Gate(word: Int32(truncatingIfNeeded: number)) }

    /// The result of a join with the thread must be decided. When it is, the gate is opened.
    package static func thread(_ number: Int) -> Gate { Gate(word: Int32(truncatingIfNeeded: -2 - number)) }

    /// What the word stands for.
    enum Meaning { case open, closed, unclear, object, thread }

    var meaning: Meaning {
        if self == .open { return .open }
        if self == .closed { return .closed }
        if self == .unclear { return .unclear }
        return word > 0 ? .object : .thread
    }

    /// Whether the word alone says whether it is open: it is a free object.
    @inline(always) var isSimple: Bool { word != Gate.unclear.word }

    /// The number of the object, or 0.
    @inline(always) var objectOrNone: Int { Int(word & ~(word >> 31)) }

    /// Nonzero if it is not an object.
    @inline(always) var closedBits: Int32 { word >> 31 }

    /// The number of the object, if it is one.
    @inline(always) var object: Int? { word >= 0 ? Int(word) : nil }

    /// The thread, if it is one.
    @inline(always) var thread: Int? { word < -1 && word != .min ? -2 - Int(word) : nil }
}
