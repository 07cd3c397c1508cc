/// An earlier moment of an execution, as far as it concerns one later step: the objects that the step touches, as they
/// were at that moment, and what is known of threads and time.
package struct PastCircumstances: TimedCircumstances {
    /// The object whose earlier words are used, and those words.
    package var number: UInt32
    package var words: ObjectState
    /// Whether the object, a read-write lock, admitted readers.
    package var letsReadersIn = false
    /// The seat of the thread that the step concerns, as it was at that moment, or unchanged since.
    package var seat: (number: UInt32, words: ObjectState)?
    /// The thread that the step concerns.
    package var life = ThreadLife.alive
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
    package func holdsToRead(_ lock: UInt32, _ thread: Int) -> Bool { false }
    package func isInUse(_ object: UInt32) -> Bool { false }
    package func life(of thread: Int) -> ThreadLife { life }
    package func isStirred(_ thread: Int) -> Bool { isStirred }
}

extension Rule {
    /// The ruling on a step at an earlier moment. An `await` with a known condition counts as one event, which is
    /// blocked while the condition is false.
    package static func ruling(
        _ operation: Operation, _ status: ThreadState.Status, of thread: Int, then: PastCircumstances
    ) -> Ruling {
        let ruling = ruling(operation, status, of: thread, in: then)
        return operation.awaited != nil && Memory.failsAwait(operation, in: then) ? .blocked(ruling.act) : ruling
    }
}
