import Trace

/// Finds waits that are not in a loop: the thread tested its predicate, waited, was woken, and continued without
/// testing again. Another thread may have changed the predicate before it, or the wait may have ended spuriously.
///
/// The predicate is taken to be what the thread read directly before it waited. A woken thread tests again if it reads
/// one of these objects on the same line as before, as a loop does, or all of them on any lines. A read that precedes a
/// write of the same object (`count -= 1`) is not a test. The thread has continued without a test if it changes what it
/// had read, fails, or ends. Waits before which nothing was read are not judged, nor are waits that timed out. So a
/// predicate in plain Swift variables, which events do not show, causes no false alarm unless something else was read
/// between the lock and the wait.
package struct WaitWithoutLoopDetector: Detector {
    private struct Waiter {
        var wait: Event
        var predicate: [Looks.Look]
        /// The objects of the predicate that the thread has not read again. Nil if it has not been woken yet.
        var missing: Set<ObjectID>?
        /// The thread's previous event, if that was a read. If the thread writes the same object next, the read was not
        /// a test.
        var lastRead: Event?
    }

    /// A wait after which a thread continued without a test.
    private struct Case {
        var waiter: Waiter
        /// The event with which the thread continued.
        var act: Event
        /// The last write to something that the thread should have tested.
        var change: Event?
    }

    private struct Spot: Hashable {
        var condition: ObjectID
        var site: SiteID
    }

    private var waiters = PerThread<Waiter?>(nil)
    private var lastWrites = PerObject<Event?>(nil)
    private var cases: [Case] = []
    private var known: Set<Spot> = []

    package init() {}

    package mutating func consume(_ event: Event, _ run: RunState) {
        if waiters[event.thread] != nil { follow(event) }
        let effect = event.kind.effect
        if effect == .park {
            let predicate = run.looks(of: event.thread)
            waiters[event.thread] = predicate.isEmpty ? nil : Waiter(wait: event, predicate: predicate)
        }
        if effect.isWrite { lastWrites[event.object] = event }
    }

    /// Follows a thread from its wait to its next test, or to an action that needed one.
    private mutating func follow(_ event: Event) {
        guard var waiter = waiters[event.thread] else { return }
        let effect = event.kind.effect
        guard waiter.missing != nil else {
            if effect == .unpark(isTimeout: false) { waiter.missing = Set(waiter.predicate.map(\.object)) }
            waiters[event.thread] = effect == .unpark(isTimeout: true) ? nil : waiter
            return
        }
        if let read = waiter.lastRead {
            let isUpdate = effect == .write(.cell) && event.object == read.object && event.site == read.site
            if !isUpdate { waiter.missing?.remove(read.object) }
        }
        waiter.lastRead = if case .read = effect { event } else { nil }
        let isOver = waiter.missing?.isEmpty == true || settle(waiter, event)
        waiters[event.thread] = isOver ? nil : waiter
    }

    /// Returns whether this event settles what the thread does after its wait: by a test, or by an action that needed
    /// one, which is a case to report.
    private mutating func settle(_ waiter: Waiter, _ event: Event) -> Bool {
        let isConcerned = waiter.predicate.contains { $0.object == event.object }
        let effect = event.kind.effect
        if effect.isRead { return waiter.predicate.contains { $0.object == event.object && $0.site == event.site } }
        guard effect.isWrite && isConcerned || effect.isReport || effect.endsThread else { return false }
        if known.insert(Spot(condition: waiter.wait.object, site: waiter.wait.site)).inserted {
            let changes = waiter.predicate.compactMap { lastWrites[$0.object] }
            cases.append(Case(waiter: waiter, act: event, change: changes.max { $0.time < $1.time }))
        }
        return true
    }

    package func findings(in names: Names, _ run: RunState) -> [Finding] {
        cases.filter { names.hasMutex(condition: $0.waiter.wait.object) }.map { finding($0, names) }
    }

    private func finding(_ found: Case, _ names: Names) -> Finding {
        let waiter = names.name(found.waiter.wait.thread)
        let condition = names.name(found.waiter.wait.object)
        let look = found.waiter.predicate[0]
        let wait = found.waiter.wait
        var story = [
            "\(waiter) reads \(names.name(look.object))\(names.at(look.site)), "
                + "then waits for \(condition)\(names.at(wait.site))."
        ]
        if let change = found.change, change.thread != wait.thread {
            let changer = names.name(change.thread)
            story.append("\(changer) was the last to change \(names.name(change.object))\(names.at(change.site)).")
        }
        story.append("Once woken, \(waiter) \(deed(found.act, names))\(names.at(found.act.site)).")
        return Finding(
            .waitWithoutLoop,
            summary: "\(waiter) continued after its wait for \(condition) without testing its predicate again.",
            story: story, advice: "Replace 'if' with 'while', so that the predicate is tested again after every wait.",
            threads: [wait.thread], objects: [wait.object, look.object], sites: [look.site, wait.site, found.act.site])
    }

    private func deed(_ act: Event, _ names: Names) -> String {
        let effect = act.kind.effect
        return effect.isReport ? "fails" : effect.endsThread ? "ends" : "changes \(names.name(act.object))"
    }
}
