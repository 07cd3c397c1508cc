import Trace

/// A signal or broadcast of a condition that found no waiter.
struct UnheardSignal: Equatable {
    let signal: Event
    /// The event's number, from 1.
    let number: Int
    /// The locks that threads other than the sender held at that moment.
    private let holds: [ThreadID: [ObjectID]]

    init(_ signal: Event, _ run: RunState) {
        self.signal = signal
        number = run.count
        var holds: [ThreadID: [ObjectID]] = [:]
        for thread in run.graph.alive where thread != signal.thread {
            let locks = run.locks(of: thread)
            if !locks.isEmpty { holds[thread] = locks.map(\.object) }
        }
        self.holds = holds
    }

    /// The mutex of the wait, if the waiting thread held it when the signal was sent: the signal then came between its
    /// test and its wait.
    func mutex(heldBy wait: Wait?) -> ObjectID? {
        guard let wait, case .condition(_, let mutex?) = wait.target, holds[wait.thread]?.contains(mutex) == true
        else { return nil }
        return mutex
    }

    /// How to fix the lost wake-up.
    ///
    /// - Parameter mutex: the result of `mutex(heldBy:)` for the wait. If it is nil, the thread is taken to have tested
    ///   nothing.
    static func advice(_ mutex: ObjectID?, _ waiter: ThreadID, in names: Names) -> String {
        guard let mutex else {
            return "Record the event in a variable, and wait only while the variable says it has not happened."
        }
        return
            "Hold \(names.name(mutex)) while you change what \(names.name(waiter)) waits for: it holds \(names.name(mutex)) from its "
            + "test until it waits, so the signal cannot come in between."
    }
}
