/// The virtual clock: sleeping and reading it. It moves when no thread can step, or, where time limits may pass at any
/// moment, when a thread's limit does.
enum Clock {
    @inline(always) static var readClock: Operation.Row {
        Operation.Row(.everything, on: .everything, canBeUnseen: false, drain: .none)
    }
    @inline(always) static var sleepUntil: Operation.Row {
        Operation.Row(
            .nothing, on: .nothing, waits: .endless, late: .awake, entrance: .unclear, canBeUnseen: false,
            drain: .none, verb: "sleep")
    }

    @inline(always) static var reading: Act.Row { Act.Row(.readsClock, others: .any, finds: .unordered) }
    @inline(always) static var awaking: Act.Row {
        Act.Row(.writesClock, others: .any, finds: .unordered, need: .time, event: .event(.threadAwake))
    }

    /// In time, nothing ends a sleep: that is what its limit is for.
    @inline(always) static var sleep: Ruling { .blocked(.awake) }
}

extension MachineState {
    /// A time limit has passed. If limits may pass at any moment, the clock is corrected now.
    func reach(_ deadline: Int) {
        if header.pointee.scalars.time < deadline { header.pointee.scalars.time = deadline }
    }

    @inline(always) package var time: Int { header.pointee.scalars.time }
    @inline(always) package var mayTimeOut: Bool { header.pointee.scalars.mayTimeOut }

    /// Moves the clock to the next deadline that a thread waits for. False if no thread waits for time.
    ///
    /// Time is lazy: the caller asks only when no thread is enabled but to repeat itself (`ClockWatch`), so processors
    /// are infinitely fast, and what a run does does not depend on how long its computation takes.
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

    /// The moment at which the thread continues, whatever the others do, unless it does before.
    func deadline(of thread: Int) -> Int {
        switch threads[thread].status {
        case .waiting, .announced, .queued: threads[thread].operation.deadline
        case .running, .waking, .ended: Operation.never
        }
    }

    /// Whether the thread continues when enough time has passed, whatever the others do.
    package func hasDeadline(_ thread: Int) -> Bool { deadline(of: thread) != Operation.never }

    /// Whether a thread waits for a moment, or is about to.
    package var hasDeadlines: Bool { (0..<threadCount).contains { hasDeadline($0) } }

    /// Whether the thread waits for a moment that has not come.
    func waitsForTime(_ thread: Int) -> Bool { hasDeadline(thread) && deadline(of: thread) > time }

    /// Whether some thread does.
    var waitsForTime: Bool { (0..<threadCount).contains { waitsForTime($0) } }
}
