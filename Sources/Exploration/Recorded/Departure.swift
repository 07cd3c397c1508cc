import Trace

/// Where a run could no longer follow a recorded one, and why.
package struct Departure: Equatable {
    package enum Reason: Equatable, Sendable {
        /// The thread has not been started, or has ended.
        case noThread
        /// The thread cannot continue.
        case heldUp
        /// The thread does this instead.
        case other(EventKind, ObjectID?)
        /// It reaches an operation that records no event.
        case untold
        case value(Int, recorded: Int)
        case runIsOver
        case nobodyGoesOn
        /// A thread is started that the recorded run did not start.
        case newThread
    }

    /// The event's number, from 1.
    package let number: Int
    package let event: Event
    package let reason: Reason

    /// One sentence, without its full stop.
    ///
    /// - Parameter trace: the recorded run's.
    package func description(in trace: TraceDocument) -> String {
        let object = trace.object(event.object).map { " of \($0.name)" } ?? ""
        let site = trace.site(event.site).map { " at \($0.shortDescription)" } ?? ""
        let deed = "\(event.kind.name)\(object) by \(trace.name(of: event.thread))\(site)"
        return "event \(number) of \(trace.events.count) is \(deed), but \(why(in: trace))"
    }

    private func why(in trace: TraceDocument) -> String {
        switch reason {
        case .noThread: "there is no such thread now"
        case .heldUp: "the thread cannot continue there"
        case .other(let kind, let object):
            "the thread reaches \(kind.name)\(object.flatMap(trace.object).map { " of \($0.name)" } ?? "")"
        case .untold: "the thread reaches something else"
        case .value(let value, let recorded): "the value is \(value), not \(recorded)"
        case .runIsOver: "the run is over"
        case .nobodyGoesOn: "no thread can continue"
        case .newThread: "a thread is started there"
        }
    }
}
