import Execution
import Machine
import Text
import Trace

/// A thread's loop that waits for events and handles them (guide: Run Loops). Each thread has one, created on first
/// use. Built on a mutex and a condition.
///
/// A loop runs in one *mode* at a time, in which only the sources added to that mode count. With nothing to watch it
/// does not wait. Sources are added and removed on the loop's own thread; `wakeUp`, `stop` and an input source's
/// `signal` may be called from any thread.
public final class RunLoop: Sendable {
    /// A named set of sources.
    public struct Mode: Hashable, Sendable, ExpressibleByStringLiteral {
        public let name: String

        public init(_ name: String) { self.name = name }
        public init(stringLiteral name: String) { self.init(name) }

        /// The mode for most purposes.
        public static let `default`: Mode = "default"
        /// Represents every mode of the loop's common set, which includes `default`. Add sources to it; do not run in
        /// it.
        public static let common: Mode = "common"
    }

    /// Why `run` returned.
    public enum Exit: String, Sendable {
        /// There was nothing to watch in this mode.
        case finished
        /// `stop` was called.
        case stopped
        /// The deadline had passed.
        case timedOut = "timed-out"
        /// An input source was handled.
        case handledSource = "handled-source"
    }

    private let handle: Handle
    private let owner: ThreadID
    private let gate: Mutex
    private let awake: Condition
    private let calls = Guarded(Calls())
    private let state = Guarded(State())

    /// The requests of other threads. Guarded by `gate`.
    private struct Calls {
        var isWoken = false
        var isStopped = false
    }

    /// Accessed only by the loop's own thread.
    private struct State {
        var sources: [Mode: [InputSource]] = [:]
        var common: Set<Mode> = [.default]
        var running: [Mode] = []
    }

    private init(of owner: ThreadID, in runtime: any Runtime) {
        self.owner = owner
        let name = "\(runtime.name(of: owner).possessive) loop"
        handle = Handle(.other, shownAs: .runLoop, name, at: .unknown)
        gate = Mutex(partOf: name, at: .unknown)
        awake = Condition(partOf: name, at: .unknown)
    }

    /// The calling thread's loop.
    public static var current: RunLoop {
        let runtime = ThreadContext.runtime.counted
        let key = runtime.knownSlot(.runLoop)
        if let present = runtime.slotValue(key) { return unsafeDowncast(present, to: RunLoop.self) }
        let loop = RunLoop(of: runtime.currentThread, in: runtime)
        runtime.setSlotValue(key, loop)
        return loop
    }

    /// The mode that the loop runs in now. Nil outside a run.
    public var currentMode: Mode? { state.value.running.last }

    // MARK: - Sources

    /// Watches the source in a mode. Its `schedule` callback runs at once.
    ///
    /// - Throws: `Misuse` `wrong-thread`, if the loop belongs to another thread.
    public func add(
        _ source: InputSource, to mode: Mode = .default, file: StaticString = #fileID, line: UInt = #line
    ) throws {
        let site = SourceSite(file, line)
        try checkThread(site)
        guard !state.value.sources[mode, default: []].contains(where: { $0 === source }) else { return }
        state.value.sources[mode, default: []].append(source)
        try source.wasAdded(to: self, mode, at: site)
    }

    /// Stops watching the source in this mode. Its `cancel` callback runs at once.
    ///
    /// - Throws: `Misuse` `wrong-thread`, if the loop belongs to another thread.
    public func remove(
        _ source: InputSource, from mode: Mode = .default, file: StaticString = #fileID, line: UInt = #line
    ) throws {
        let site = SourceSite(file, line)
        try checkThread(site)
        guard let index = state.value.sources[mode]?.firstIndex(where: { $0 === source }) else { return }
        state.value.sources[mode]?.remove(at: index)
        try source.wasRemoved(from: self, mode, at: site)
    }

    /// Adds the mode to the common set.
    public func addToCommonModes(_ mode: Mode, file: StaticString = #fileID, line: UInt = #line) throws {
        try checkThread(SourceSite(file, line))
        state.value.common.insert(mode)
    }

    // MARK: - Running

    /// Runs in a mode until a source was handled, the deadline has passed, or `stop` is called. With a deadline that
    /// has passed it only handles pending sources.
    ///
    /// - Throws: `Misuse` `wrong-thread`, if the loop belongs to another thread; and what a handler throws.
    @discardableResult
    public func run(
        mode: Mode = .default, until deadline: Instant = .distantFuture, file: StaticString = #fileID,
        line: UInt = #line
    ) throws -> Exit {
        let site = SourceSite(file, line)
        try checkThread(site)
        state.value.running.append(mode)
        defer { state.value.running.removeLast() }
        record(.loopEntry, mode.name, site)
        let exit = try passes(mode, until: deadline, site)
        record(.loopExit, exit.rawValue, site)
        return exit
    }

    /// Handles all events of the default mode, until the deadline, or until there is nothing to watch.
    public func run(until deadline: Instant, file: StaticString = #fileID, line: UInt = #line) throws {
        while true {
            switch try run(mode: .default, until: deadline, file: file, line: line) {
            case .handledSource: continue
            case .finished, .stopped, .timedOut: return
            }
        }
    }

    /// Ends the innermost run of the loop as soon as the present handler is done. Can be called from any thread. With
    /// no run in progress, the next one ends when it has handled pending sources.
    public func stop(file: StaticString = #fileID, line: UInt = #line) throws {
        let site = SourceSite(file, line)
        try gate.withLock(at: site) {
            calls.value.isStopped = true
            try awake.signal(at: site)
        }
    }

    /// Wakes the loop, so that it checks its sources. Can be called from any thread.
    public func wakeUp(file: StaticString = #fileID, line: UInt = #line) throws {
        let site = SourceSite(file, line)
        handle.record(.loopWakeUp, at: site)
        try gate.withLock(at: site) {
            calls.value.isWoken = true
            try awake.signal(at: site)
        }
    }

    /// The guide's sequence of events of one run, without the steps for timers and ports.
    private func passes(_ mode: Mode, until deadline: Instant, _ site: SourceSite) throws -> Exit {
        guard !watched(in: mode).isEmpty else { return .finished }
        while true {
            handle.record(.loopBeforeTimers, at: site)
            handle.record(.loopBeforeSources, at: site)
            if try handleSources(in: mode, site) { return try takeStop(site) ? .stopped : .handledSource }
            if let exit = try waitForEvents(until: deadline, site) { return exit }
            if watched(in: mode).isEmpty { return .finished }
        }
    }

    /// Handles every signaled source. True if there was one.
    private func handleSources(in mode: Mode, _ site: SourceSite) throws -> Bool {
        var handled = false
        for source in watched(in: mode) {
            // An earlier handler may have removed this one.
            let isStillWatched = watched(in: mode).contains { $0 === source }
            if try isStillWatched && source.performIfSignalled(at: site) { handled = true }
        }
        return handled
    }

    /// Sleeps until a thread wakes the loop. Returns nil if it was woken, otherwise why the run is over.
    private func waitForEvents(until deadline: Instant, _ site: SourceSite) throws -> Exit? {
        if try takeStop(site) { return .stopped }
        if deadline <= .now { return .timedOut }
        handle.record(.loopBeforeWaiting, at: site)
        let inTime = try gate.withLock(at: site) {
            while !calls.value.isWoken && !calls.value.isStopped {
                guard try awake.wait(with: gate, until: deadline, at: site) else { break }
            }
            defer { calls.value.isWoken = false }
            return calls.value.isWoken || calls.value.isStopped
        }
        handle.record(.loopAfterWaiting, at: site)
        if try takeStop(site) { return .stopped }
        return inTime ? nil : .timedOut
    }

    private func takeStop(_ site: SourceSite) throws -> Bool {
        try gate.withLock(at: site) {
            defer { calls.value.isStopped = false }
            return calls.value.isStopped
        }
    }

    private func watched(in mode: Mode) -> [InputSource] {
        let own = state.value.sources[mode] ?? []
        return state.value.common.contains(mode) ? own + (state.value.sources[.common] ?? []) : own
    }

    private func checkThread(_ site: SourceSite) throws {
        guard handle.with({ $0.currentThread }) == owner else { throw Misuse.recorded(.wrongThread, at: site) }
    }

    private func record(_ kind: EventKind, _ text: String, _ site: SourceSite) {
        handle.with { $0.record(kind, handle.object.id, text: text, at: site) }
    }
}
