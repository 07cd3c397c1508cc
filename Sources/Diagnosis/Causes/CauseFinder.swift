import Trace

/// Finds, for each event, the event of another thread that let it happen: the release of the lock that a thread takes,
/// the signal that woke a thread, the creation of a thread that starts. Reports draw these causes as arrows between
/// lanes.
///
/// Most causes also order their effects (`HappensBefore`). A signal does not, and a write does only if the memory
/// orders say so. Events do not say which of several waiters a signal woke: the one that continues first is assumed.
/// Memory is bounded by the number of threads and objects, not by the length of the run; under a weaker memory model,
/// also by the number of writes of atomics.
package struct CauseFinder {
    /// An event that may become a cause, and whether it has already been one.
    fileprivate struct Place {
        var event: Int
        var thread: ThreadID
        var wasUsed = false
    }

    /// A signal or broadcast of a condition.
    private struct Signal {
        var place: Place
        var isForAll: Bool
    }

    /// What has happened to an object, so far as it may cause later events.
    private struct Past {
        /// The last release of an exclusive hold, or the last permit given.
        var release: Place?
        /// The last release of a reader's hold.
        var sharedRelease: Place?
        /// The last write.
        var write: Place?
        /// Signals that may not have woken a thread yet.
        var signals: [Signal] = []
        /// The threads that wait for a signal of this condition or a change of this memory.
        var waiters: [ThreadID] = []
        /// The number of threads that wait for this condition, or have been woken and have not yet reacquired the
        /// mutex.
        var parked = 0
    }

    /// What a thread waits for.
    private struct Waiting {
        var object: ObjectID
        /// The number of the event with which the wait began.
        var since: Int
        /// Whether the thread waits for a write of memory. Otherwise it waits for a signal of a condition.
        var isForChange: Bool
    }

    /// The maximum number of signals that are kept for a condition.
    private static let mostSignals = 64

    /// A thread and an atomic: the key for the number of the write that the thread last read from it (`sights`).
    private struct Sight: Hashable {
        var thread: ThreadID
        var object: ObjectID
    }

    private var objects = PerObject(Past())
    private var weakSteps = WeakSteps()
    private var sights: [Sight: Int] = [:]
    /// Under a weaker memory model: the thread that made each write, by the number of the write's event.
    private var writers: [Int: ThreadID] = [:]
    private var waits = PerThread<Waiting?>(nil)
    /// By thread: the event that created it, and the event with which it ended.
    private var creations = PerThread<Place?>(nil)
    private var ends = PerThread<Place?>(nil)
    /// The number of events before the current one, which is the current one's number.
    private var count = 0

    /// The causes of the last event.
    package private(set) var causes: [Cause] = []

    package init() {}

    /// The threads that wait for a signal of the condition, or for a change of the memory.
    package func waiters(of object: ObjectID) -> [ThreadID] { objects[object].waiters }

    package mutating func consume(_ event: Event) {
        defer { count += 1 }
        causes.removeAll(keepingCapacity: true)
        weakSteps.consume(event)
        let wait = waits[event.thread]
        if let wait { end(wait, event) }
        let place = Place(event: count, thread: event.thread)
        switch event.kind.effect {
        case .createThread: if let created = event.valueAsThread { creations[created] = place }
        case .startThread: add(.creation, creations[event.thread], .none, event)
        case .endThread: ends[event.thread] = place
        case .joinThread: if let joined = event.valueAsThread { add(.end, ends[joined], .none, event) }

        case .take(let lock): take(event.object, isShared: lock.isShared, event)
        case .release(let lock, _):
            if lock.isShared {
                objects[event.object].sharedRelease = place
            } else {
                objects[event.object].release = place
            }
        case .givePermit: objects[event.object].release = place
        case .takePermit:
            add(.permit, objects[event.object].release, event.object, event)
            objects[event.object].release = nil

        case .park:
            if let mutex = event.valueAsObject { objects[mutex].release = place }
            objects[event.object].parked += 1
            begin(Waiting(object: event.object, since: count, isForChange: false), of: event.thread)
        case .unpark(let isTimeout):
            if let wait, !isTimeout { findSignal(wait, event) }
            if let mutex = event.valueAsObject { take(mutex, isShared: false, event) }
            objects[event.object].parked -= 1
            forgetSignals(of: event.object)
        case .signal(let toAll): signal(event.object, Signal(place: place, isForAll: toAll))

        case .wait(.change), .wait(.changeSpinning):
            begin(Waiting(object: event.object, since: count, isForChange: true), of: event.thread)
        case .read(.atomic), .mismatch: read(wait, event)
        case .write: write(place, event)
        case .update:
            read(wait, event)
            write(place, event)
        case .none, .detachThread, .cutOffThread, .yield, .sleep, .awake, .setPriority, .limitWait, .attempt,
            .wait(.lock), .wait(.permit), .wait(.threadEnd), .refuse, .read(.cell), .free, .append, .fence, .weaken,
            .reorder,
            .choose, .fail,
            .misuse,
            .cleanUp, .endRun:
            break
        }
    }

    /// Adds a cause, unless it is unknown or of the same thread.
    private mutating func add(_ kind: Cause.Kind, _ place: Place?, _ object: ObjectID, _ event: Event) {
        guard let place, place.thread != event.thread else { return }
        causes.append(
            Cause(kind: kind, event: place.event, thread: place.thread, object: object, isFirst: !place.wasUsed))
    }

    /// Adds the release that let the thread take the lock. A reader waits for the last writer only; a writer for
    /// whichever release came last.
    private mutating func take(_ lock: ObjectID, isShared: Bool, _ event: Event) {
        let (release, sharedRelease) = (objects[lock].release, objects[lock].sharedRelease)
        if isShared {
            add(.lock, release, lock, event)
            objects[lock].release?.wasUsed = true
            return
        }
        // A release that has not happened counts as earlier than any event.
        let isSharedLater = (sharedRelease?.event ?? -1) > (release?.event ?? -1)
        add(.lock, isSharedLater ? sharedRelease : release, lock, event)
        if release != nil { objects[lock].release = nil }
        if sharedRelease != nil { objects[lock].sharedRelease = nil }
    }

    /// A read is caused by the last write. If the thread waited for a change, and the write came after the wait began,
    /// the write ended the wait.
    private mutating func read(_ wait: Waiting?, _ event: Event) {
        if let step = weakSteps.step { return read(step, event) }
        guard let write = objects[event.object].write else { return }
        let isChange = wait.map { $0.isForChange && write.event > $0.since } ?? false
        add(isChange ? .change : .value, write, event.object, event)
    }

    private mutating func write(_ place: Place, _ event: Event) {
        objects[event.object].write = place
        if weakSteps.step != nil { writers[place.event] = place.thread }
    }

    /// Under a weaker memory model, a thread may read any write. Reading the same write again is not a new cause.
    private mutating func read(_ step: WeakStep, _ event: Event) {
        guard let source = step.source, let writer = writers[source] else { return }
        let sight = Sight(thread: event.thread, object: event.object)
        let isNew = sights.updateValue(source, forKey: sight) != source
        add(
            isNew ? step.isOutOfOrder ? .olderSource : .source : .value, Place(event: source, thread: writer),
            event.object, event)
    }

    // MARK: - Waits

    private mutating func begin(_ wait: Waiting, of thread: ThreadID) {
        waits[thread] = wait
        objects[wait.object].waiters.append(thread)
    }

    /// The thread's wait is over. A thread that was woken by a signal may have to wait for the mutex first: its wait is
    /// kept until it continues.
    private mutating func end(_ wait: Waiting, _ event: Event) {
        objects[wait.object].waiters.removeFirst(event.thread)
        if event.kind.effect != .wait(.lock(.mutex)) || wait.isForChange { waits[event.thread] = nil }
    }

    private mutating func signal(_ condition: ObjectID, _ signal: Signal) {
        guard !objects[condition].waiters.isEmpty else { return }
        objects[condition].signals.append(signal)
        if objects[condition].signals.count > Self.mostSignals { objects[condition].signals.removeFirst() }
    }

    /// Adds, as the cause, the earliest signal since the wait began. A signal that has woken a thread no longer counts,
    /// unless it is a broadcast.
    private mutating func findSignal(_ wait: Waiting, _ event: Event) {
        guard let index = objects[wait.object].signals.firstIndex(where: { $0.place.event > wait.since }) else {
            return
        }
        let signal = objects[wait.object].signals[index]
        add(.signal, signal.place, wait.object, event)
        if signal.isForAll {
            objects[wait.object].signals[index].place.wasUsed = true
        } else {
            objects[wait.object].signals.remove(at: index)
        }
    }

    /// Forgets the signals of a condition on which no thread waits any more.
    private mutating func forgetSignals(of condition: ObjectID) {
        if objects[condition].parked <= 0 { objects[condition].signals.removeAll(keepingCapacity: true) }
    }
}
