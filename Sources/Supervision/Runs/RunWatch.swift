import Diagnosis
import Trace

/// What looks at a run on real threads while it runs. It reads what the run has recorded, as the supervisor does, so
/// the run does not notice.
package struct RunWatch {
    /// The time between two looks, in nanoseconds.
    package var period: UInt64
    /// Receives all events, in batches.
    package var consume: ((ArraySlice<Event>) -> Void)?
    /// Receives what the scenario prints. Nil: that goes to standard error.
    package var output: (([UInt8]) -> Void)?
    /// Called once in each period.
    package var show: (RunProgress) -> Void
    /// Called when the process has ended, after the last event.
    package var finish: ((RunProgress) -> Void)?

    package init(every period: UInt64, show: @escaping (RunProgress) -> Void) {
        self.period = period
        self.show = show
    }
}

/// The progress of a run on real threads, as far as its events have been read: the last few milliseconds are missing.
package struct RunProgress {
    /// Since the process was started, in nanoseconds.
    private let elapsed: UInt64
    /// The time of the run's events.
    package let time: UInt64
    /// Do not keep it: while it is shared, the next event copies it.
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

    /// Checks whether threads of a run in progress are certainly deadlocked: see `DeadlockWatch`.
    ///
    /// - Parameter areAsleep: asks the kernel whether all threads are asleep at the same moment.
    func seesDeadlock(_ reader: RecordingReader, _ areAsleep: () -> Bool) -> Bool {
        watch.seesDeadlock(in: examination.graph, known: reader.horizon, now: { reader.now }, areAsleep)
    }
}

/// Watches a run on real threads for deadlocks while it is running.
///
/// What is known of a run lags behind it, and not by the same time for all threads. So a check only raises a suspicion,
/// and a later one confirms it: when all events until the time of the first are known, and none of them was of a
/// suspected thread. A thread that does nothing stays where it is.
struct DeadlockWatch {
    private var seen = 0
    private var eventCounts: [Int] = []
    /// Threads that wait in a cycle, and how often and since when they were seen so.
    private var suspicion: [ThreadID: Suspicion] = [:]
    /// All threads, blocked and asleep, at consecutive checks.
    private var standstill: Suspicion?

    private struct Suspicion {
        /// When it was raised, on the recording's clock.
        let time: UInt64
        /// The number of events known, of the thread or of all.
        let events: Int
        var looks = 1
    }

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

    /// Whether threads wait for each other in a cycle, and did so at an earlier check until whose time all is known.
    ///
    /// - Parameters:
    ///   - horizon: until when all events are known, on the recording's clock.
    ///   - time: a reading of this clock.
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

    /// Whether no thread can continue: every thread that has started and not ended is blocked permanently.
    ///
    /// This is confirmed when all events are known until after a moment at which all threads slept, which includes the
    /// creation of a thread that was not yet seen. A thread that awaits a change of memory polls only now and then
    /// (`NativeRuntime.longestNap`), so enough checks are needed for it to have seen the last change.
    ///
    /// - Parameters:
    ///   - horizon: until when all events are known, on the recording's clock.
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
        suspicion.looks += 1
        standstill = suspicion
        return suspicion.looks >= (graph.awaitsMemory ? 4 : 2) && suspicion.time <= horizon
    }

    private func count(of thread: ThreadID) -> Int {
        Int(thread.index) < eventCounts.count ? eventCounts[Int(thread.index)] : 0
    }
}
