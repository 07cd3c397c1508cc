import Trace

/// Predicates that are changed without the mutex of their condition: a thread changes what waiters test, and signals,
/// without having held the mutex in between. Between a waiter's test and its wait the change and the signal can come
/// unnoticed, so that the wake-up is lost, whether or not it was lost in this run.
///
/// What a thread read under the mutex before it waited is its predicate, as far as events show it. A thread that takes
/// the mutex after the change and before the signal has waited until no thread is between the two: that is correct.
/// Conditions inside built objects are not reported.
package struct UnguardedPredicateDetector: Detector {
    /// A write since the thread's last signal.
    private struct Change {
        var event: Event
        /// The locks that the thread has held at the change or since.
        var locks: [ObjectID]
    }

    private struct Spot: Hashable {
        var condition: ObjectID
        var site: SiteID
    }

    private struct Suspicion {
        var signal: Event
        var changes: [Change]
    }

    private var looks = Looks()
    /// By condition: the mutex of its waiters, and what they had read.
    private var mutexes = PerObject<ObjectID?>(nil)
    private var predicates = PerObject<[ObjectID]>([])
    private var changes = PerThread<[Change]>([])
    private var suspicions: [Suspicion] = []
    private var known: Set<Spot> = []

    /// Only the latest writes are kept.
    private static let mostChanges = 16
    private static let mostSuspicions = 100

    package init() {}

    package mutating func consume(_ event: Event, _ run: RunState) {
        let effect = event.kind.effect
        if effect == .park { notePredicate(event) }
        if effect.isWrite { noteChange(event, run) }
        if case .taken(let lock) = run.heldChange {
            for index in changes[event.thread].indices { changes[event.thread][index].locks.append(lock) }
        }
        if effect.isSignal { look(at: event) }
        looks.consume(event, number: run.count)
    }

    private mutating func notePredicate(_ wait: Event) {
        mutexes[wait.object] = wait.valueAsObject
        for look in looks.looks(of: wait.thread) where !predicates[wait.object].contains(look.object) {
            guard predicates[wait.object].count < Self.mostChanges else { return }
            predicates[wait.object].append(look.object)
        }
    }

    private mutating func noteChange(_ event: Event, _ run: RunState) {
        let thread = event.thread
        changes[thread].removeAll { $0.event.object == event.object }
        if changes[thread].count == Self.mostChanges { changes[thread].removeFirst() }
        changes[thread].append(Change(event: event, locks: run.locks(of: thread).map(\.object)))
    }

    /// Whether the signal is a fault is known only when a thread has waited for the condition, perhaps later.
    private mutating func look(at signal: Event) {
        let changes = changes[signal.thread]
        self.changes[signal.thread].removeAll(keepingCapacity: true)
        guard !changes.isEmpty, suspicions.count < Self.mostSuspicions,
            known.insert(Spot(condition: signal.object, site: signal.site)).inserted
        else { return }
        suspicions.append(Suspicion(signal: signal, changes: changes))
    }

    package func findings(in names: Names, _ run: RunState) -> [Finding] {
        suspicions.compactMap { suspicion in
            let condition = suspicion.signal.object
            guard names.trace.object(condition)?.kind != .part, let mutex = mutexes[condition] else { return nil }
            let change = suspicion.changes.last { change in
                predicates[condition].contains(change.event.object) && !change.locks.contains(mutex)
            }
            return change.map { finding($0.event, suspicion.signal, mutex, names) }
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
