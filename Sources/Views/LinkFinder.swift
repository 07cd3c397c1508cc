import Trace

/// Finds which event of one thread let which event of another one happen.
///
/// Events do not say which signal woke which of several threads, nor which permit a thread took: the earliest one that
/// fits is assumed. Which events concern which objects is read from their effects.
package struct LinkFinder {
    private typealias Place = (event: Int, thread: ThreadID)

    private struct Object {
        var release: Place?
        var sharedRelease: Place?
        /// Signals and permits that no thread has used.
        var offers: [(place: Place, isForAll: Bool)] = []
        var write: Place?
    }

    private var objects: [ObjectID: Object] = [:]
    private var creations: [ThreadID: Place] = [:]
    private var ends: [ThreadID: Place] = [:]
    /// The waits that have begun.
    private var waits: [ThreadID: (event: Int, effect: Effect, object: ObjectID)] = [:]
    private var links: [Link] = []
    private var index = 0

    /// - Returns: the links of a run, in the order of the events that they lead to.
    package static func links(in trace: TraceDocument) -> [Link] {
        var finder = LinkFinder()
        for event in trace.events {
            finder.consume(event)
            if event.kind.endsRun { break }
        }
        return finder.links
    }

    private mutating func consume(_ event: Event) {
        defer { index += 1 }
        let wait = waits.removeValue(forKey: event.thread)
        if let wait, wait.effect == .wait(.change) || wait.effect == .wait(.changeSpinning) {
            if let write = objects[wait.object]?.write, write.event > wait.event { add(.change, write, event) }
        }
        let effect = event.kind.effect
        switch effect {
        case .createThread: if let created = event.valueAsThread { creations[created] = (index, event.thread) }
        case .startThread: add(.start, creations[event.thread], event)
        case .endThread: ends[event.thread] = (index, event.thread)
        case .joinThread: if let joined = event.valueAsThread { add(.join, ends[joined], event) }
        case .take(let lock): take(event.object, lock, event)
        case .release(let lock): release(event.object, isShared: lock.isShared, event)
        case .park:
            if let mutex = event.valueAsObject { release(mutex, isShared: false, event) }
            waits[event.thread] = (index, effect, event.object)
        case .unpark(let isTimeout):
            if let wait, !isTimeout { use(.signal, event.object, since: wait.event, event) }
            if let mutex = event.valueAsObject { take(mutex, .mutex, event) }
        case .signal(let toAll): offer(isForAll: toAll, event)
        case .givePermit: offer(isForAll: false, event)
        case .takePermit: if let wait { use(.permit, event.object, since: wait.event, event) }
        case .wait: waits[event.thread] = (index, effect, event.object)
        default: if effect.isWrite { objects[event.object, default: Object()].write = (index, event.thread) }
        }
    }

    private mutating func add(_ kind: Link.Kind, _ place: Place?, _ event: Event) {
        guard let place, place.thread != event.thread else { return }
        links.append(Link(kind: kind, from: place.event, to: index))
    }

    private mutating func release(_ object: ObjectID, isShared: Bool, _ event: Event) {
        let place = (index, event.thread)
        if isShared {
            objects[object, default: Object()].sharedRelease = place
        } else {
            objects[object, default: Object()].release = place
        }
    }

    private mutating func take(_ object: ObjectID, _ lock: Effect.Lock, _ event: Event) {
        guard let known = objects[object] else { return }
        if lock.isShared { return add(.lock, known.release, event) }
        objects[object]?.sharedRelease = nil
        add(.lock, known.sharedRelease ?? known.release, event)
    }

    /// Only a thread that waits already can use it as the end of its wait.
    private mutating func offer(isForAll: Bool, _ event: Event) {
        guard waits.values.contains(where: { $0.object == event.object }) else {
            objects[event.object]?.offers.removeAll(keepingCapacity: true)
            return
        }
        objects[event.object, default: Object()].offers.append(((index, event.thread), isForAll))
    }

    /// The earliest offer after the wait began.
    private mutating func use(_ kind: Link.Kind, _ object: ObjectID, since wait: Int, _ event: Event) {
        guard let offers = objects[object]?.offers,
            let found = offers.firstIndex(where: { $0.place.event > wait && $0.place.thread != event.thread })
        else { return }
        add(kind, offers[found].place, event)
        if !offers[found].isForAll { objects[object]?.offers.remove(at: found) }
    }
}
