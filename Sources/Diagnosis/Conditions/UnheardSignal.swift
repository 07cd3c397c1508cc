import Trace

/// A signal that found no waiter.
struct UnheardSignal: Equatable {
    let signal: Event
    /// Of the event, from 1.
    let number: Int
    /// The mutexes that threads held at that moment, but the one that sent it.
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

    /// The mutex with which the thread waits, if it held that mutex at the moment of the signal: then it came between what the thread
    /// tested and its wait.
    func mutex(heldBy wait: Wait?) -> ObjectID? {
        guard let wait, case .condition(_, let mutex?) = wait.target, holds[wait.thread]?.contains(mutex) == true
        else { return nil }
        return mutex
    }

    /// What would have helped.
    ///
    /// - Parameter mutex: the one that the thread held between its test and its wait. Nil: it tested nothing.
    static func advice(_ mutex: ObjectID?, _ waiter: ThreadID, in names: Names) -> String {
        guard let mutex else {
            return "Record the event in a variable, and wait only while the variable says it has not happened."
        }
        return
            "Hold \(names.name(mutex)) while you change what \(names.name(waiter)) waits for: it holds \(names.name(mutex)) from its "
            + "test until it waits, so the signal cannot come in between."
    }
}
