import Trace

/// Finds locks that a thread takes, or waits for, inside a signal handler. The handler may have interrupted the holder
/// of the lock, which cannot release it before the handler is over.
package struct HandlerLockDetector: Detector {
    private struct Sighting {
        var handler: Event
        var lock: Event
        /// The thread's own hold on the lock, from before the handler.
        var own: Hold?
    }

    private struct Spot: Hashable {
        var lock: ObjectID
        var site: SiteID
    }

    /// The event with which the thread's handler began. Nil if the thread is not in a handler.
    private var handlers = PerThread<Event?>(nil)
    private var sightings: [Sighting] = []
    private var known: Set<Spot> = []

    private static let mostSightings = 100

    package init() {}

    package mutating func consume(_ event: Event, _ run: RunState) {
        if event.kind == .signalHandler {
            handlers[event.thread] = event
        } else if event.kind == .signalHandled {
            handlers[event.thread] = nil
        } else if let handler = handlers[event.thread] {
            examine(event, in: handler, run)
        }
    }

    /// Adds a sighting if the event, in the handler, is the first that takes or awaits its lock at its line.
    private mutating func examine(_ event: Event, in handler: Event, _ run: RunState) {
        let effect = event.kind.effect
        guard effect.waitsForLock || effect.takesLock else { return }
        guard sightings.count < Self.mostSightings else { return }
        guard known.insert(Spot(lock: event.object, site: event.site)).inserted else { return }
        var own = run.graph.hold(of: event.object, by: event.thread)
        // A hold that begins with this event was not interrupted.
        if run.heldChange == .taken(event.object) { own = nil }
        sightings.append(Sighting(handler: handler, lock: event, own: own))
    }

    package func findings(in names: Names, _ run: RunState) -> [Finding] { sightings.map { finding($0, names) } }

    private func finding(_ sighting: Sighting, _ names: Names) -> Finding {
        let thread = names.name(sighting.lock.thread)
        let lock = names.name(sighting.lock.object)
        let handler = names.name(sighting.handler.object)
        var story = ["\(thread) locks \(lock)\(names.at(sighting.lock.site)) in the handler of \(handler)."]
        if let own = sighting.own {
            let since = "since it locked it\(names.at(own.site))"
            story.append("The signal interrupted \(thread), which has held \(lock) \(since): it waits for itself.")
        } else {
            story.append("If the signal interrupts the thread that holds \(lock), that thread waits for itself.")
        }
        return Finding(
            .lockInHandler, .warning, summary: "\(thread) takes \(lock) in a signal handler.",
            story: story, threads: [sighting.lock.thread], objects: [sighting.lock.object],
            sites: [sighting.lock.site] + (sighting.own.map { [$0.site] } ?? []))
    }
}
