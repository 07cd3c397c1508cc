/// The virtual clock: reading it, and sleeping. The clock moves when time passes (`MachineState.passTime`) and, if time
/// limits may pass at any moment, when one does.
enum Clock {
    @inline(always) static var readClock: Operation.Row {
        Operation.Row(.everything, on: .everything, canBeUnseen: false)
    }
    @inline(always) static var sleepUntil: Operation.Row {
        Operation.Row(
            .nothing, on: .nothing, waits: .endless, late: .awake, entrance: .unclear, canBeUnseen: false,
            verb: "sleep")
    }

    @inline(always) static var reading: Act.Row { Act.Row(.readsClock, others: .any, finds: .unordered) }
    @inline(always) static var awaking: Act.Row {
        Act.Row(.writesClock, others: .any, finds: .unordered, need: .time, event: .event(.threadAwake))
    }

    /// While its time limit has not passed, nothing ends a sleep.
    @inline(always) static var sleep: Ruling { .blocked(.awake) }
}

extension MachineState {
    /// A time limit has passed. If limits may pass at any moment, the clock may be behind, and is set to the deadline.
    func reach(_ deadline: Int) {
        if header.pointee.scalars.time < deadline { header.pointee.scalars.time = deadline }
    }

    @inline(always) package var time: Int { header.pointee.scalars.time }
    @inline(always) package var mayTimeOut: Bool { header.pointee.scalars.mayTimeOut }

    /// Moves the clock to the next deadline that a thread waits for. Returns false if no thread waits for time.
    ///
    /// Time is lazy: the caller asks only when no thread is enabled, or when the enabled ones merely repeat themselves
    /// (`ClockWatch`) or could only end waits spuriously. Processors are thus infinitely fast, and a run does not
    /// depend on how long its computation takes.
    package func passTime() -> Bool {
        var next = Operation.never
        for thread in 0..<header.pointee.scalars.threadCount {
            let deadline = self.deadline(of: thread)
            if deadline > header.pointee.scalars.time && deadline < next { next = deadline }
        }
        guard next != Operation.never else { return false }
        header.pointee.scalars.time = next
        return true
    }

    /// The moment at which the thread continues at the latest, whatever other threads do, or `Operation.never`.
    func deadline(of thread: Int) -> Int {
        switch threads[thread].status {
        case .waiting, .announced, .queued: threads[thread].operation.deadline
        case .running, .waking, .ended: Operation.never
        }
    }

    /// Whether the thread continues eventually, whatever other threads do.
    package func hasDeadline(_ thread: Int) -> Bool { deadline(of: thread) != Operation.never }

    /// Whether the thread waits for a deadline that is in the future.
    func waitsForTime(_ thread: Int) -> Bool { hasDeadline(thread) && deadline(of: thread) > time }

    /// Whether any thread waits for a deadline that is in the future.
    var waitsForTime: Bool { (0..<threadCount).contains { waitsForTime($0) } }
}
