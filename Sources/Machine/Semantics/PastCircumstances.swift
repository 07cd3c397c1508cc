/// What a search knows of an earlier moment of an execution: the objects that a later step touches, as they were then,
/// and what is known of threads and time. With it, the search asks the rule whether the step could have been taken at
/// that moment.
package struct PastCircumstances: TimedCircumstances {
    /// The object whose earlier words are used, and those words.
    package var number: UInt32
    package var words: ObjectState
    /// Whether the object `number`, if it is a read-write lock, admitted readers.
    package var letsReadersIn = false
    /// The seat of the thread that the step concerns (`ObjectState.Kind.seat`), with its words at that moment, if it is
    /// not the object `number`.
    package var seat: (number: UInt32, words: ObjectState)?
    /// The life of the thread that the step, a join or detach, concerns.
    package var life = ThreadLife.alive
    /// Whether something that the step's thread watches had been written.
    package var isStirred = false
    package var mayTimeOut: Bool
    package var mayWakeSpuriously: Bool
    package var time: Int

    package init(number: UInt32, words: ObjectState, time: Int, mayTimeOut: Bool, mayWakeSpuriously: Bool) {
        self.number = number
        self.words = words
        self.time = time
        self.mayTimeOut = mayTimeOut
        self.mayWakeSpuriously = mayWakeSpuriously
    }

    package func object(_ number: UInt32) -> ObjectState {
        if number == self.number { return words }
        if let seat, seat.number == number { return seat.words }
        return ObjectState(kind: .other)
    }

    package func letsReadersIn(_ lock: UInt32) -> Bool { lock == number && letsReadersIn }
    // The next two only decide whether a step is a misuse. The steps in question are never blocked, so a search does
    // not need the answer.
    package func holdsToRead(_ lock: UInt32, _ thread: Int) -> Bool { false }
    package func isInUse(_ object: UInt32) -> Bool { false }

    package func life(of thread: Int) -> ThreadLife { life }
    package func isStirred(_ thread: Int) -> Bool { isStirred }
}

extension Rule {
    /// The ruling on a step at an earlier moment. An `await` that consists of one comparison counts as one step, which
    /// is blocked while the comparison is false.
    package static func ruling(
        _ operation: Operation, _ status: ThreadState.Status, of thread: Int, then: PastCircumstances
    ) -> Ruling {
        let ruling = ruling(operation, status, of: thread, in: then)
        return operation.awaited != nil && Memory.failsAwait(operation, in: then) ? .blocked(ruling.act) : ruling
    }
}
