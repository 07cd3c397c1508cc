import Diagnosis
import Trace

/// A caller's functions that observe a native run in progress. The supervisor calls them with what it reads from the
/// recording, so the run is not disturbed.
package struct RunWatch {
    /// The time between two calls of `show`, in nanoseconds.
    package var period: UInt64
    /// Receives all events, in batches.
    package var consume: ((ArraySlice<Event>) -> Void)?
    /// Receives what the scenario prints. Nil: that is written to standard error.
    package var output: (([UInt8]) -> Void)?
    /// Called at most once in each period.
    package var show: (RunProgress) -> Void
    /// Called when the process has ended, after the last event.
    package var finish: ((RunProgress) -> Void)?

    package init(every period: UInt64, show: @escaping (RunProgress) -> Void) {
        self.period = period
        self.show = show
    }
}

/// The progress of a native run according to the events read so far, which lack the last few milliseconds.
package struct RunProgress {
    /// The time since the process was started, in nanoseconds.
    private let elapsed: UInt64
    /// The present time on the clock of the run's events.
    package let time: UInt64
    /// The trace so far. Must not be kept: while another reference exists, adding the next event copies the whole
    /// trace.
    package let trace: TraceDocument
    private let examination: Examination

    init(elapsed: UInt64, time: UInt64, trace: TraceDocument, examination: Examination) {
        self.elapsed = elapsed
        self.time = time
        self.trace = trace
        self.examination = examination
    }

    /// For example: `3 s, 41 events; first waits for b (2.9 s)`.
    package var text: String {
        let events = Names.count(trace.events.count + trace.dropped, "event")
        let activity = examination.activity(in: Names(trace), at: time).joined(separator: ", ")
        return "\(elapsed / 1_000_000_000) s, \(events)" + (activity.isEmpty ? "" : "; \(activity)")
    }
}

/// Examines a run's events as they arrive. A class, so that it can receive events while the trace is being extended.
final class Observation {
    private(set) var examination: Examination
    private var watch = DeadlockWatch()

    init(_ examination: Examination) { self.examination = examination }

    func consume(_ events: ArraySlice<Event>) {
        examination.consume(events)
        watch.consume(events)
    }

    /// Whether threads of a run in progress are certainly deadlocked: see `DeadlockWatch`.
    ///
    /// - Parameter areAsleep: asks the kernel whether all threads are asleep at the same moment.
    func seesDeadlock(_ reader: RecordingReader, _ areAsleep: () -> Bool) -> Bool {
        watch.seesDeadlock(in: examination.graph, known: reader.horizon, now: { reader.now }, areAsleep)
    }
}

/// Watches a native run in progress for deadlocks.
///
/// The known events lag behind the run, and not equally for all threads. So one check only raises a suspicion. A later
/// check confirms it if by then all events up to the time of the first check are known, and no new one is from a
/// suspected thread: a thread that has recorded nothing has not moved.
struct DeadlockWatch {
    /// The number of known events.
    private var seen = 0
    /// By thread: the number of its known events.
    private var eventCounts: [Int] = []
    /// The threads that wait in a cycle, each with the first check that saw it so.
    private var suspicion: [ThreadID: Suspicion] = [:]
    /// The first of the consecutive checks at which all threads were blocked and asleep. Nil: at the last one they were
    /// not.
    private var standstill: Suspicion?

    private struct Suspicion {
        /// When the suspicion was raised, on the recording's clock.
        let time: UInt64
        /// The number of known events at that time: of the thread, or of all threads.
        let events: Int
        /// The number of checks that have found the same.
        var checks = 1
    }

    /// The number of checks after which a standstill is certain. The second is for a run in which a thread awaits a
    /// change of memory.
    private static let enoughChecks = 2
    private static let enoughChecksOfMemory = 4

    mutating func consume(_ events: ArraySlice<Event>) {
        seen += events.count
        for event in events {
            let thread = Int(event.thread.index)
            while eventCounts.count <= thread { eventCounts.append(0) }
            eventCounts[thread] += 1
        }
    }

    /// Whether threads certainly cannot continue: see `sees(cycleIn:known:at:)` and `sees(allBlockedIn:known:now:_:)`.
    mutating func seesDeadlock(
        in graph: WaitForGraph, known horizon: UInt64, now: () -> UInt64, _ areAsleep: () -> Bool
    ) -> Bool {
        sees(cycleIn: graph, known: horizon, at: now())
            || sees(allBlockedIn: graph, known: horizon, now: now, areAsleep)
    }

    /// Whether threads wait for each other in a cycle, and did so at an earlier check up to whose time all events are
    /// known.
    ///
    /// - Parameters:
    ///   - horizon: the time on the recording's clock up to which all events are known.
    ///   - time: the present time on this clock.
    mutating func sees(cycleIn graph: WaitForGraph, known horizon: UInt64, at time: UInt64) -> Bool {
        let cycles = graph.cycles()
        let before = suspicion
        suspicion = [:]
        for thread in cycles.flatMap(\.threads) {
            let now = Suspicion(time: time, events: count(of: thread))
            suspicion[thread] = before[thread].flatMap { $0.events == now.events ? $0 : nil } ?? now
        }
        return cycles.contains { cycle in
            cycle.threads.allSatisfy { suspicion[$0].map { $0.time < time && $0.time <= horizon } ?? false }
        }
    }

    /// Whether no thread can continue: all threads that have started and not ended are blocked permanently.
    ///
    /// That is certain when all events are known up to a moment at which all threads slept, because the creation of an
    /// unknown thread would be among these events. A thread that awaits a change of memory polls at intervals
    /// (`NativeRuntime.longestNap`), so there must be enough checks for it to have seen the last change.
    ///
    /// - Parameters:
    ///   - horizon: the time on the recording's clock up to which all events are known.
    ///   - now: reads this clock.
    ///   - areAsleep: asks the kernel whether all threads are asleep at the same moment.
    mutating func sees(
        allBlockedIn graph: WaitForGraph, known horizon: UInt64, now: () -> UInt64, _ areAsleep: () -> Bool
    ) -> Bool {
        guard graph.allBlocked, areAsleep() else {
            standstill = nil
            return false
        }
        guard var suspicion = standstill, suspicion.events == seen else {
            standstill = Suspicion(time: now(), events: seen)
            return false
        }
        suspicion.checks += 1
        standstill = suspicion
        let enough = graph.awaitsMemory ? Self.enoughChecksOfMemory : Self.enoughChecks
        return suspicion.checks >= enough && suspicion.time <= horizon
    }

    private func count(of thread: ThreadID) -> Int {
        Int(thread.index) < eventCounts.count ? eventCounts[Int(thread.index)] : 0
    }
}
