import Execution
import Machine
import Trace

/// A thread's loop that waits for events and handles them (guide: Run Loops). Each thread has one, created on first
/// use. Built on a mutex and a condition.
///
/// A loop runs in one *mode* at a time, and only handles the sources, timers, ports and observers that were added to
/// that mode. If there is nothing to watch, a run returns at once. A loop may only be changed on its own thread.
/// `wakeUp`, `stop`, `perform`, a source's `signal` and a port's `send` may be called from any thread.
public final class RunLoop: RunBound {
    let handle: Handle
    let name: String
    /// The thread whose loop it is.
    let owner: ThreadID
    /// Protects `requests`.
    let gate: Part
    /// The condition on which the loop sleeps.
    let awake: Part
    let requests = Guarded(LoopRequests())
    let state = Guarded(State())

    /// Accessed only by the loop's own thread.
    struct State {
        var modes: [Mode: ModeItems] = [:]
        /// The modes that watch the items of `Mode.common` too.
        var common: Set<Mode> = [.default]
        /// The modes of the current runs, the innermost last.
        var running: [Mode] = []
    }

    private init(of owner: ThreadID, in runtime: any Runtime) {
        self.owner = owner
        name = "\(runtime.name(of: owner))'s loop"
        handle = Handle(.other, shownAs: .runLoop, name, at: .unknown)
        gate = Part(lockOf: name, handle.object, at: .unknown)
        awake = Part(.condition, "events of \(name)", at: .unknown)
    }

    /// The calling thread's loop.
    public static var current: RunLoop {
        let runtime = ThreadContext.runtime.counted
        let key = runtime.knownSlot(.runLoop)
        if let present = runtime.slotValue(key) { return unsafeDowncast(present, to: RunLoop.self) }
        let loop = RunLoop(of: runtime.currentThread, in: runtime)
        runtime.setSlotValue(key, loop)
        runtime.knownSlots.add(loop)
        if loop.owner == .main { KnownSlots.MainObject.loop.publish(loop) }
        return loop
    }

    /// The main thread's loop, for any thread. The main thread's first use of `current` or `main` makes it, so use it
    /// there before starting threads that need it.
    ///
    /// - Throws: `Misuse` `wrong-thread`, on another thread, if the main thread has no loop.
    public static var main: RunLoop {
        get throws {
            let runtime = ThreadContext.runtime.counted
            if runtime.currentThread == .main { return current }
            return unsafeDowncast(try KnownSlots.MainObject.loop.find(), to: RunLoop.self)
        }
    }

    /// Whether it is the main thread's loop.
    package var isMain: Bool { owner == .main }

    /// The mode in which the loop currently runs. Nil outside a run. Only for the loop's own thread.
    public var currentMode: Mode? { state.value.running.last }

    /// Drops the items and requests at the end of the run, because a handler may refer to its own loop.
    package func runHasEnded() {
        let left = (requests.value, state.value)
        requests.value = LoopRequests()
        state.value = State()
        // A handler's deinitializer may use the loop, which is already empty then.
        withExtendedLifetime(left) {}
    }

    // MARK: - What it watches

    /// Watches the source in a mode. Its `schedule` callback runs at once.
    ///
    /// - Throws: `Misuse` `wrong-thread`, if the loop or the source belongs to another thread.
    public func add(
        _ source: InputSource, to mode: Mode = .default, file: StaticString = #fileID, line: UInt = #line
    ) throws { try addItem(source, mode, SourceSite(file, line)) }

    /// Watches the timer in a mode.
    ///
    /// - Throws: `Misuse` `wrong-thread`, if the loop or the timer belongs to another thread.
    public func add(
        _ timer: Timer, to mode: Mode = .default, file: StaticString = #fileID, line: UInt = #line
    ) throws { try addItem(timer, mode, SourceSite(file, line)) }

    /// Watches the port in a mode. Messages that have already arrived are received in the next run.
    ///
    /// - Throws: `Misuse` `wrong-thread`, if the loop or the port belongs to another thread.
    public func add(
        _ port: Port, to mode: Mode = .default, file: StaticString = #fileID, line: UInt = #line
    ) throws { try addItem(port, mode, SourceSite(file, line)) }

    /// Calls the observer in runs in a mode.
    ///
    /// - Throws: `Misuse` `wrong-thread`, if the loop or the observer belongs to another thread.
    public func add(
        _ observer: RunLoopObserver, to mode: Mode = .default, file: StaticString = #fileID, line: UInt = #line
    ) throws { try addItem(observer, mode, SourceSite(file, line)) }

    /// Stops watching the source in this mode. Its `cancel` callback runs at once.
    ///
    /// - Throws: `Misuse` `wrong-thread`, if the loop belongs to another thread.
    public func remove(
        _ source: InputSource, from mode: Mode = .default, file: StaticString = #fileID, line: UInt = #line
    ) throws { try removeItem(source, mode, SourceSite(file, line)) }

    /// Stops watching the port in this mode. Its messages wait for a run in a mode that it is in.
    ///
    /// - Throws: `Misuse` `wrong-thread`, if the loop belongs to another thread.
    public func remove(
        _ port: Port, from mode: Mode = .default, file: StaticString = #fileID, line: UInt = #line
    ) throws { try removeItem(port, mode, SourceSite(file, line)) }

    /// No longer calls the observer in this mode.
    ///
    /// - Throws: `Misuse` `wrong-thread`, if the loop belongs to another thread.
    public func remove(
        _ observer: RunLoopObserver, from mode: Mode = .default, file: StaticString = #fileID, line: UInt = #line
    ) throws { try removeItem(observer, mode, SourceSite(file, line)) }

    /// Adds the mode to the common set.
    public func addToCommonModes(_ mode: Mode, file: StaticString = #fileID, line: UInt = #line) throws {
        try checkThread(SourceSite(file, line))
        state.value.common.insert(mode)
    }

    /// When a run in this mode has something to do at the latest: the time of the next timer, or `distantFuture` if
    /// there is none, but there are sources or ports. Nil if there is nothing to watch.
    ///
    /// - Throws: `Misuse` `wrong-thread`, if the loop belongs to another thread.
    public func limitDate(
        in mode: Mode = .default, file: StaticString = #fileID, line: UInt = #line
    ) throws -> Instant? {
        try checkThread(SourceSite(file, line))
        let items = items(in: mode)
        return items.isEmpty ? nil : items.timers.map(\.fireDate).min() ?? .distantFuture
    }

    private func addItem<Item: LoopItem>(_ item: Item, _ mode: Mode, _ site: SourceSite) throws {
        try checkThread(site)
        guard try item.membership.enter(self, mode, at: site) else { return }
        state.value.modes[mode, default: ModeItems()][keyPath: Item.list].append(item)
        item.record(.sourceSchedule, at: site)
        try item.wasAdded(to: self, mode, at: site)
    }

    private func removeItem<Item: LoopItem>(_ item: Item, _ mode: Mode, _ site: SourceSite) throws {
        try checkThread(site)
        if item.membership.loop === self { try drop(item, from: mode, at: site) }
    }

    func drop<Item: LoopItem>(_ item: Item, from mode: Mode, at site: SourceSite) throws {
        guard item.membership.leave(mode) else { return }
        state.value.modes[mode]?[keyPath: Item.list].removeAll { $0 === item }
        item.record(.sourceCancel, at: site)
        try item.wasRemoved(from: self, mode, at: site)
    }

    /// The items that a run in this mode watches: its own, and those of `common` if it is a common mode.
    func items(in mode: Mode) -> ModeItems {
        let own = state.value.modes[mode] ?? ModeItems()
        guard state.value.common.contains(mode), let common = state.value.modes[.common] else { return own }
        return own + common
    }

    /// The modes whose items a run in this mode watches.
    func modes(within mode: Mode) -> [Mode] { state.value.common.contains(mode) ? [mode, .common] : [mode] }

    func checkThread(_ site: SourceSite) throws {
        guard handle.currentThread == owner else { throw Misuse.recorded(.wrongThread, at: site) }
    }

    // MARK: - From any thread

    /// Ends the loop's innermost run, at the end of the pass that finds this request. Can be called from any thread. If
    /// the loop is not running, its next run ends once it has handled pending sources.
    public func stop(file: StaticString = #fileID, line: UInt = #line) throws {
        let site = SourceSite(file, line)
        try gate.withLock(at: site) {
            requests.value.isStopped = true
            handle.record(.loopStop, at: site)
            try awake.signal(at: site)
        }
    }

    /// Wakes the loop, so that it checks its sources. Can be called from any thread.
    public func wakeUp(file: StaticString = #fileID, line: UInt = #line) throws {
        let site = SourceSite(file, line)
        handle.record(.loopWakeUp, at: site)
        try gate.withLock(at: site) {
            requests.value.isWoken = true
            try awake.signal(at: site)
        }
    }

    /// Notes that a message has arrived at a port of this loop.
    func noteArrival(at port: Port, from site: SourceSite) throws {
        try gate.withLock(at: site) {
            requests.value.arrivals.append(port)
            try awake.signal(at: site)
        }
    }

    /// Discards the arrivals at a port that has left the loop.
    func forgetArrivals(at port: Port, from site: SourceSite) throws {
        try gate.withLock(at: site) { requests.value.arrivals.removeAll { $0 === port } }
    }
}

// MARK: - Its remarks in traces

extension Remark {
    fileprivate static let sourceSchedule = Remark(
        "source.schedule", "schedule {object}",
        says: "The input source, timer, port or observer was added to a run loop")
    fileprivate static let sourceCancel = Remark(
        "source.cancel", "cancel {object}",
        says: "The input source, timer, port or observer was removed from a run loop")
    fileprivate static let loopWakeUp = Remark("runloop.wake-up", "wake {object}", says: "The run loop was woken")
    fileprivate static let loopStop = Remark(
        "runloop.stop", "stop {object}",
        says: "The run loop was told to end its innermost run, or the next one")
}

extension RunLoop {
    /// A named set of sources, timers, ports and observers (guide: Run Loop Modes).
    public struct Mode: Hashable, Sendable, ExpressibleByStringLiteral {
        public let name: String

        public init(_ name: String) { self.name = name }
        public init(stringLiteral name: String) { self.init(name) }

        /// The mode for most uses.
        public static let `default`: Mode = "default"
        /// Stands for every mode of the loop's common set. Add sources to it, but do not run in it. Initially the set
        /// contains only `default`, as in Core Foundation. Cocoa's set also contains `modalPanel` and `eventTracking`.
        public static let common: Mode = "common"
        /// Waits for the reply to a request (`Port.request`).
        public static let connectionReply: Mode = "connection reply"
        /// Runs while a panel must be answered before the program continues.
        public static let modalPanel: Mode = "modal panel"
        /// Runs while the mouse is followed until its button is released.
        public static let eventTracking: Mode = "event tracking"
    }
}

extension RunLoop {
    /// Why `run` returned.
    public enum Exit: String, Sendable {
        /// There was nothing to watch in this mode.
        case finished
        /// `stop` was called.
        case stopped
        /// The deadline had passed.
        case timedOut = "timed-out"
        /// An input source was handled: a custom source, a port, or a call from `perform`. A timer is not one.
        case handledSource = "handled-source"
    }
}
