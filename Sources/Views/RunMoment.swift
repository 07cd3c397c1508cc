import Diagnosis
import Trace

/// A run after its first `position` events: what each thread does, and the state of each object. `consume` applies the
/// next event in place; copies share memory until one of them changes.
///
/// The meaning of events is defined elsewhere: `RunState` says which threads wait and what they hold, and
/// `EventKind.effect` which events change memory.
package struct RunMoment {
    /// What is known about a thread beyond the wait-for graph.
    private struct Track {
        /// The number of the thread's last event, from 1. 0: it has none.
        var lastEvent = 0
        /// The number of the event with which its present activity began, and the time of that event, in nanoseconds
        /// since the run began.
        var since = 0
        var time: UInt64 = 0
        /// The last known line of the thread.
        var site = SiteID.unknown
        var isAsleep = false
        /// Whether it has not started, waits, sleeps or has ended, so that its next event begins another activity.
        var isStill = true
        /// The number of the event with which the end of the process cut the thread off.
        var cutOff: Int?
    }

    /// The number of events that have happened.
    package private(set) var position = 0
    /// Which threads hold what and wait for what. Happens-before is not followed, because nothing here asks for it.
    private var run = RunState(followsOrder: false)
    package var graph: WaitForGraph { run.graph }
    /// The number of the event that ended the run, from 1. Later events only show how threads unwind. Nil: it has not
    /// ended.
    package private(set) var end: Int?
    private var tracks: [Track]
    /// By object: what `RunObject.value` and `RunObject.permits` are.
    private var values: [Int64?]
    private var permits: [Int?]
    /// By thread: whether its next operation on an atomic reads or writes a value that is not the newest.
    private var isOld: [Bool]
    /// Whether the number of threads and objects is not known in advance, so that the arrays grow with the events.
    private let grows: Bool

    /// The beginning of a run whose threads, objects and initial values are not known, such as a run in progress.
    package init() {
        tracks = [Track(isStill: false)]
        values = []
        permits = []
        isOld = [false]
        grows = true
    }

    init(threads: Int, objects: Int, _ beginning: Beginning) {
        tracks = Array(repeating: Track(), count: threads)
        if threads > 0 { tracks[0].isStill = false }
        values = (0..<objects).map { beginning.values[$0] }
        permits = (0..<objects).map { beginning.permits[$0] }
        isOld = Array(repeating: false, count: threads)
        grows = false
    }

    /// Applies the next event of the run.
    package mutating func consume(_ event: Event) {
        position += 1
        if grows { makeRoom(for: event) }
        let effect = event.kind.effect
        // Before the guard, because the end of a process can cut off several threads, with an event for each. An `exit`
        // before these events, or the first of them, has already ended the run.
        if effect == .cutOffThread { cutOff(Int(event.thread.index)) }
        guard end == nil else { return }
        run.consume(event)
        if effect.endsRun { end = position }
        // Of the events that end a run, only `exit` is a step of its thread.
        if effect.endsRun && effect != .endRun(.exit) { return }
        follow(event, effect)
        if !effect.endsRun { changeObject(event, effect) }
    }

    /// Makes the arrays long enough for the threads and the object that the event names.
    private mutating func makeRoom(for event: Event) {
        let threads = max(Int(event.thread.index), event.valueAsThread.map { Int($0.index) } ?? 0) + 1
        while tracks.count < threads {
            tracks.append(Track())
            isOld.append(false)
        }
        let objects = Int(event.object.index) + 1
        while values.count < objects {
            values.append(nil)
            permits.append(nil)
        }
    }

    private mutating func cutOff(_ thread: Int) {
        guard tracks.indices.contains(thread) else { return }
        tracks[thread].cutOff = position
    }

    /// Updates the tracks of the event's thread and of a thread that it creates.
    private mutating func follow(_ event: Event, _ effect: Effect) {
        if effect.createsThread, let created = event.valueAsThread.map({ Int($0.index) }),
            tracks.indices.contains(created), tracks[created].lastEvent == 0
        {
            tracks[created].since = position
            tracks[created].time = event.time
        }
        let thread = Int(event.thread.index)
        guard tracks.indices.contains(thread) else { return }
        let wasStill = tracks[thread].isStill
        tracks[thread].isAsleep = effect == .sleep
        tracks[thread].isStill = effect.blocks || effect == .sleep || effect.endsThread
        if wasStill || tracks[thread].isStill {
            tracks[thread].since = position
            tracks[thread].time = event.time
        }
        tracks[thread].lastEvent = position
        if event.site != .unknown { tracks[thread].site = event.site }
    }

    private mutating func changeObject(_ event: Event, _ effect: Effect) {
        let thread = Int(event.thread.index)
        if effect == .reorder, isOld.indices.contains(thread) { isOld[thread] = event.value > 0 }
        let object = Int(event.object.index)
        guard values.indices.contains(object) else { return }
        if effect.showsValue && !takesOldValue(event) {
            values[object] = event.value == Event.noNumber ? nil : event.value
        }
        if effect == .takePermit { permits[object]? -= 1 }
        if effect == .givePermit { permits[object]? += 1 }
    }

    /// Whether the event is an operation on an atomic that does not read or write the newest value, so that the value
    /// shown for the object does not change. Resets the thread's `isOld`, which is about one operation only.
    private mutating func takesOldValue(_ event: Event) -> Bool {
        let thread = Int(event.thread.index)
        guard event.kind.isOfAtomic, isOld.indices.contains(thread) else { return false }
        defer { isOld[thread] = false }
        return isOld[thread]
    }

    // MARK: - Asking

    package func thread(_ id: ThreadID) -> RunThread {
        let track = track(of: id)
        return RunThread(
            activity: activity(of: id, track), since: track.cutOff ?? track.since, time: track.time,
            lastEvent: track.lastEvent == 0 ? nil : track.lastEvent, site: track.site, holds: graph.locks(of: id),
            blockers: graph.blockers(of: id))
    }

    /// The thread's track; an empty one if the trace does not list the thread, as a hand-written trace may not.
    private func track(of thread: ThreadID) -> Track {
        let index = Int(thread.index)
        return tracks.indices.contains(index) ? tracks[index] : Track()
    }

    private func activity(of thread: ThreadID, _ track: Track) -> RunThread.Activity {
        if graph.wasKilled(thread) { return .killed }
        if graph.hasEnded(thread) { return .ended }
        guard graph.isAlive(thread) else { return .notCreated }
        if track.cutOff != nil { return .cutOff }
        if graph.ending?.kind.effect.isOwnEnd == true { return .ended }
        if thread == .main && graph.ending?.kind.effect.end == .completion { return .ended }
        if let wait = graph.wait(of: thread) { return .waiting(wait) }
        if track.isAsleep { return .asleep }
        return track.lastEvent == 0 && thread != .main ? .created : .running
    }

    package func object(_ id: ObjectID) -> RunObject {
        let index = Int(id.index)
        let holders = graph.holders(of: id)
        var waiters = graph.blocked.filter { $0.object == id }.map(\.thread)
        if waiters.count > 1 { waiters.sort { track(of: $0).since < track(of: $1).since } }
        return RunObject(
            holders: holders, isShared: holders.contains { graph.hold(of: id, by: $0)?.mode == .shared },
            waiters: waiters,
            value: values.indices.contains(index) ? values[index] : nil,
            permits: permits.indices.contains(index) ? permits[index] : nil)
    }
}
