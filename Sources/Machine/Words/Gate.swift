/// What blocks a thread's next step, in one word, so that the enabled threads can be found at every step without
/// examining their operations. A thread is enabled if its gate is open.
package struct Gate: Equatable, Sendable, BitwiseCopyable {
    /// 0: open. Positive: the number of the object that has to be free. −1: closed. From −2 down: −2 − the number of
    /// the thread on which a join waits. The least number: unclear.
    let word: Int32

    @inline(always) init(word: Int32) { self.word = word }

    /// Nothing blocks the step. The word is that of object 0, which stands for no object and never has an owner.
    package static var open: Gate { Gate(word: 0) }

    /// The thread has no step to take: it runs, has ended, or waits to be woken.
    package static var closed: Gate { Gate(word: -1) }

    /// One word cannot express it: the rule has to be asked.
    package static var unclear: Gate { Gate(word: .min) }

    /// Open while the object has no owner (`ObjectState.owner` is 0).
    package static func object(_ number: UInt32) -> Gate { Gate(word: Int32(truncatingIfNeeded: number)) }

    /// Blocks a join until its result is decided: the target has ended, or is joined or detached. The gate is then
    /// replaced by an open one.
    package static func thread(_ number: Int) -> Gate { Gate(word: Int32(truncatingIfNeeded: -2 - number)) }

    /// What the word stands for.
    enum Meaning { case open, closed, unclear, object, thread }

    var meaning: Meaning {
        if self == .open { return .open }
        if self == .closed { return .closed }
        if self == .unclear { return .unclear }
        return word > 0 ? .object : .thread
    }

    /// Whether the word, with the owner of the object that it names, suffices to find out whether the gate is open.
    @inline(always) var isSimple: Bool { word != Gate.unclear.word }

    /// The number of the object, or 0 if the gate does not name one. Like `closedBits`, computed without a branch:
    /// `word >> 31` is −1 for a negative word, otherwise 0.
    @inline(always) var objectOrNone: Int { Int(word & ~(word >> 31)) }

    /// 0 if the gate is open or that of an object, otherwise −1.
    @inline(always) var closedBits: Int32 { word >> 31 }

    /// The number of the object, if the gate is that of an object; 0 if it is open.
    @inline(always) var object: Int? { word >= 0 ? Int(word) : nil }

    /// The number of the thread, if the gate is that of a join.
    @inline(always) var thread: Int? { word < -1 && word != .min ? -2 - Int(word) : nil }
}
