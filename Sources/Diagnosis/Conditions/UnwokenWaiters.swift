import Trace

/// Records why threads that wait for conditions have not been woken: when each thread's predicate became true, and
/// which signals came after that. `UnwokenStory` puts it in words.
///
/// If the program's text says what a thread waits for, events tell when that predicate becomes true and false
/// (`condition.met`). Otherwise the predicate is taken to be what the thread read before it waited, and events only
/// show that this was changed.
struct UnwokenWaiters {
    /// A write that made the predicate of a waiting thread true or false, or changed what the thread had read.
    struct Change: Equatable {
        var write: Event
        /// The write's number in the run.
        var number: Int
    }

    /// A signal of the condition after the predicate became true.
    struct Sent: Equatable {
        var signal: Event
        /// The signal's number among those of the run that found waiters.
        var serial: Int
        /// The wait that this signal ended. Nil for a broadcast, or if no thread has been seen to continue.
        var woken: Event?
        /// Whether the woken thread wrote nothing before it waited again.
        var isInVain = false
    }

    /// A thread that waits, or is about to.
    struct Waiter: Equatable {
        /// The thread's wait. Nil if the thread has tested its predicate and is about to wait.
        var wait: Event?
        /// The reads before the wait, which are taken to be the thread's test.
        var looks: [Looks.Look] = []
        /// Whether the program's text says what it waits for.
        var isTested = false
        /// The write that made the predicate true. If the text does not say the predicate: a write that changed what
        /// the thread had read, the last before the wait or else the first after it.
        var change: Change?
        /// Whether the predicate became true before the wait began, or that write came before it.
        var isLate = false
        /// The write that made the predicate false again.
        var undoing: Change?
        /// The `change` before `undoing`, which reversed its effect.
        var undone: Change?
        /// The first signals of the condition after the change, and the number of all.
        var sent: [Sent] = []
        var sentCount = 0
        /// A signal of another condition after the change, by the same thread.
        var misdirected: Event?
        /// The last signal before the wait that found no waiter, if it may have been meant for this thread: it came
        /// after the thread's test, or the thread tested nothing.
        var unheard: Event?
        /// The mutex of the wait, if the thread held it when that signal was sent.
        var mutexAtUnheard: ObjectID?

        /// The maximum number of signals in `sent`.
        static let mostSent = 4

        mutating func predicateBecameTrue(by change: Change?) {
            forgetChange()
            self.change = change
        }

        mutating func predicateBecameFalse(by undoing: Change?) {
            let undone = change
            forgetChange()
            isLate = false
            (self.undone, self.undoing) = (undone, undoing)
        }

        private mutating func forgetChange() {
            (change, undone, undoing, misdirected) = (nil, nil, nil, nil)
            (sent, sentCount) = ([], 0)
        }
    }

    private var waiters = PerThread<Waiter?>(nil)
    /// The threads that wait, or are about to.
    private var threads: [ThreadID] = []
    /// The last write of each thread and of each object.
    private var writes = PerThread<Change?>(nil)
    private var lastWrites = PerObject<Change?>(nil)
    /// The last signal of each condition that found no waiter.
    private var unheard = PerObject<UnheardSignal?>(nil)
    /// By condition: the signals, by number, that woke a thread which has not yet been seen to continue.
    private var pending = PerObject<[Int]>([])
    /// The signal that last woke the thread, if the thread has changed nothing since then.
    private var wokenBy = PerThread<Int?>(nil)
    private var serial = 0

    func waiter(_ thread: ThreadID) -> Waiter? { waiters[thread] }

    mutating func consume(_ event: Event, _ run: RunState) {
        let effect = event.kind.effect
        if event.kind == .conditionMet || event.kind == .conditionUnmet { return test(event, run) }
        if let waiter = waiters[event.thread], waiter.wait != nil, effect != .limitWait { end(waiter, event) }
        if effect.isWrite { write(event, run.count) }
        if effect == .park { begin(event, run) }
        if case .signal(let toAll) = effect { signal(event, toAll, run) }
    }

    /// Follows an event that says whether a thread's predicate is true: recorded by the thread itself before it waits,
    /// or by another thread after its write.
    private mutating func test(_ event: Event, _ run: RunState) {
        guard let thread = event.valueAsThread else { return }
        let isMet = event.kind == .conditionMet
        if thread == event.thread {
            // The thread is about to wait.
            if waiters[thread] == nil { threads.append(thread) }
            var waiter = Waiter(looks: run.looks(of: thread), isTested: true)
            if isMet {
                waiter.isLate = true
                waiter.change = change(after: waiter.looks, by: thread)
            }
            waiters[thread] = waiter
        } else if isMet {
            waiters[thread]?.predicateBecameTrue(by: writes[event.thread])
            if waiters[thread]?.wait == nil { waiters[thread]?.isLate = true }
        } else {
            waiters[thread]?.predicateBecameFalse(by: writes[event.thread])
        }
    }

    /// The last write by another thread to something that this thread had read before.
    private func change(after looks: [Looks.Look], by thread: ThreadID) -> Change? {
        looks.compactMap { look in
            lastWrites[look.object].flatMap { $0.number > look.number && $0.write.thread != thread ? $0 : nil }
        }.max { $0.number < $1.number }
    }

    /// The thread begins to wait.
    private mutating func begin(_ wait: Event, _ run: RunState) {
        let thread = wait.thread
        var waiter = waiters[thread] ?? Waiter(looks: run.looks(of: thread))
        if waiters[thread] == nil { threads.append(thread) }
        waiter.wait = wait
        if !waiter.isTested, let change = change(after: waiter.looks, by: thread) {
            waiter.isLate = true
            waiter.change = change
        }
        if let unheard = unheard[wait.object], unheard.signal.thread != thread {
            let isAfterTest = waiter.looks.first.map { unheard.number > $0.number } ?? !waiter.isTested
            if isAfterTest && (waiter.isLate || waiter.looks.isEmpty) {
                waiter.unheard = unheard.signal
                waiter.mutexAtUnheard = unheard.mutex(heldBy: run.graph.wait(of: thread))
            }
        }
        waiters[thread] = waiter
        if let signal = wokenBy[thread] {
            wokenBy[thread] = nil
            forEachSent(signal, wait.object) { $0.isInVain = true }
        }
    }

    /// A waiting thread continues. Unless its time limit has passed, the oldest signal that may have woken it is taken
    /// to be the one that did.
    private mutating func end(_ waiter: Waiter, _ event: Event) {
        let thread = event.thread
        waiters[thread] = nil
        threads.removeFirst(thread)
        guard let wait = waiter.wait, event.kind.effect != .unpark(isTimeout: true), !pending[wait.object].isEmpty
        else { return }
        let signal = pending[wait.object].removeFirst()
        wokenBy[thread] = signal
        forEachSent(signal, wait.object) { $0.woken = wait }
    }

    /// Changes each waiter's entry for a signal.
    private mutating func forEachSent(_ serial: Int, _ condition: ObjectID, _ change: (inout Sent) -> Void) {
        for thread in threads where waiters[thread]?.wait?.object == condition {
            guard let index = waiters[thread]?.sent.firstIndex(where: { $0.serial == serial }) else { continue }
            change(&waiters[thread]!.sent[index])
        }
    }

    /// A write may change what a waiting thread had read.
    private mutating func write(_ event: Event, _ number: Int) {
        let change = Change(write: event, number: number)
        writes[event.thread] = change
        lastWrites[event.object] = change
        wokenBy[event.thread] = nil
        for thread in threads where waiters[thread]?.isTested == false {
            guard let waiter = waiters[thread], waiter.change == nil,
                waiter.looks.contains(where: { $0.object == event.object && differs(event.value, from: $0.value) })
            else { continue }
            waiters[thread]?.predicateBecameTrue(by: change)
        }
    }

    /// Whether the value has changed. Values that the trace does not contain are taken to differ.
    private func differs(_ value: Int64, from other: Int64) -> Bool { value != other || value == Event.noNumber }

    /// Adds the signal to each waiter of its condition whose predicate has become true. A waiter of another condition
    /// whose predicate the sender made true should have been signaled instead: the signal was misdirected.
    private mutating func signal(_ event: Event, _ toAll: Bool, _ run: RunState) {
        if run.graph.waiters(of: event.object).isEmpty {
            unheard[event.object] = UnheardSignal(event, run)
            return
        }
        serial += 1
        let waiting = run.graph.waiters(of: event.object).count
        if toAll {
            // All waiters are woken, so the earlier signals wake no further thread.
            pending[event.object].removeAll()
        } else if pending[event.object].count < waiting {
            pending[event.object].append(serial)
        }
        for thread in threads {
            guard let waiter = waiters[thread], let change = waiter.change, let wait = waiter.wait else { continue }
            if wait.object != event.object {
                if change.write.thread == event.thread && waiter.misdirected == nil {
                    waiters[thread]?.misdirected = event
                }
                continue
            }
            waiters[thread]?.sentCount += 1
            if waiter.sent.count < Waiter.mostSent {
                waiters[thread]?.sent.append(Sent(signal: event, serial: serial))
            }
        }
    }
}
