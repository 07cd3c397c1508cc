import Trace

/// Finds predicates that are changed without the mutex of their condition: a thread changes what waiters test, and
/// signals, and does not hold the mutex at the change or between it and the signal. Both can then happen between a
/// waiter's test and its wait, and the wake-up is lost. The warning does not depend on whether it was lost in this run.
///
/// A thread's predicate is taken to be what it read under the mutex before it waited. A thread that takes the mutex
/// after the change and before the signal is correct: no waiter can then be between its test and its wait. Conditions
/// inside built objects and futexes are not examined.
package struct UnguardedPredicateDetector: Detector {
    /// A write since the thread's last signal.
    private struct Change {
        var event: Event
        /// The locks that the thread held at the change or has held since.
        var locks: [ObjectID]
    }

    /// A place in the program: a signal, and the change before it.
    private struct Spot: Hashable {
        var condition: ObjectID
        var site: SiteID
        /// What was changed before the signal, and where. Left out where one finding for each signal is enough.
        var changed = ObjectID.none
        var changeSite = SiteID.unknown
    }

    /// A signal after a change. It becomes a finding if the changed object is part of the predicate of a waiter.
    private struct Suspicion {
        var signal: Event
        var change: Change
    }

    // By condition: the mutex of its waiters, and the objects that they had read before they waited.
    private var mutexes = PerObject<ObjectID?>(nil)
    private var predicates = PerObject<[ObjectID]>([])
    /// Each thread's writes since its last signal.
    private var changes = PerThread<[Change]>([])
    /// The locks that each thread holds now. Nil if they were not determined since it last took or released a lock.
    private var held = PerThread<[ObjectID]?>(nil)
    private var suspicions: [Suspicion] = []
    private var known: Set<Spot> = []

    /// The maximum number of writes that are kept for a thread, of locks for a write, and of objects for a predicate.
    private static let limit = 16
    private static let mostSuspicions = 1000

    package init() {}

    package mutating func consume(_ event: Event, _ run: RunState) {
        let effect = event.kind.effect
        if effect == .park { notePredicate(event, run) }
        if effect.isWrite { noteChange(event, run) }
        if run.heldChange != .none { held[event.thread] = nil }
        if case .taken(let lock) = run.heldChange { guardChanges(of: event.thread, by: lock) }
        if effect.isSignal { suspectChanges(before: event) }
    }

    /// Adds what the thread has read before its wait to the predicate of the condition.
    private mutating func notePredicate(_ wait: Event, _ run: RunState) {
        mutexes[wait.object] = wait.valueAsObject
        for read in run.looks(of: wait.thread) where !predicates[wait.object].contains(read.object) {
            guard predicates[wait.object].count < Self.limit else { return }
            predicates[wait.object].append(read.object)
        }
    }

    private mutating func noteChange(_ event: Event, _ run: RunState) {
        let thread = event.thread
        let change = Change(event: event, locks: locks(of: thread, run))
        if let index = changes[thread].firstIndex(where: { $0.event.object == event.object }) {
            changes[thread][index] = change
            return
        }
        if changes[thread].count == Self.limit { changes[thread].removeFirst() }
        changes[thread].append(change)
    }

    /// The locks that the thread holds now, which are determined if necessary.
    private mutating func locks(of thread: ThreadID, _ run: RunState) -> [ObjectID] {
        if let known = held[thread] { return known }
        let locks = run.locks(of: thread).map(\.object)
        held[thread] = locks
        return locks
    }

    /// Adds the lock to the locks of each change of the thread. A change with too many locks is dropped, so it is not
    /// reported.
    private mutating func guardChanges(of thread: ThreadID, by lock: ObjectID) {
        for index in changes[thread].indices.reversed() where !changes[thread][index].locks.contains(lock) {
            if changes[thread][index].locks.count < Self.limit {
                changes[thread][index].locks.append(lock)
            } else {
                changes[thread].remove(at: index)
            }
        }
    }

    /// Adds a suspicion for each change before the signal. Whether it is a fault is known only when a thread has waited
    /// for the condition, perhaps later.
    private mutating func suspectChanges(before signal: Event) {
        for change in changes[signal.thread] where suspicions.count < Self.mostSuspicions {
            let spot = Spot(
                condition: signal.object, site: signal.site, changed: change.event.object,
                changeSite: change.event.site)
            if known.insert(spot).inserted { suspicions.append(Suspicion(signal: signal, change: change)) }
        }
        changes[signal.thread].removeAll(keepingCapacity: true)
    }

    package func findings(in names: Names, _ run: RunState) -> [Finding] {
        var reported: Set<Spot> = []
        return suspicions.compactMap { suspicion in
            let (signal, change) = (suspicion.signal, suspicion.change)
            guard names.hasMutex(condition: signal.object), let mutex = mutexes[signal.object],
                predicates[signal.object].contains(change.event.object), !change.locks.contains(mutex),
                reported.insert(Spot(condition: signal.object, site: signal.site)).inserted
            else { return nil }
            return finding(change.event, signal, mutex, names)
        }
    }

    private func finding(_ change: Event, _ signal: Event, _ mutex: ObjectID, _ names: Names) -> Finding {
        let thread = names.name(change.thread)
        let (object, condition) = (names.name(change.object), names.name(signal.object))
        return Finding(
            .unguardedPredicate,
            summary: "\(thread) changed \(object) without \(names.name(mutex)), which waiters for \(condition) hold.",
            story: [
                "\(thread) changes \(object)\(names.at(change.site)), and signals \(condition)\(names.at(signal.site)).",
                "A thread that has tested \(object), and does not wait yet, misses both.",
            ],
            advice: "Hold \(names.name(mutex)) for the change: then nothing can come between a test and the wait.",
            threads: [change.thread], objects: [signal.object, change.object, mutex],
            sites: [change.site, signal.site])
    }
}
