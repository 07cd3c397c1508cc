import Execution
import Trace

/// A timer calls its handler on a loop's thread, once or repeatedly (guide: Timer Sources). It is not a real-time
/// mechanism: it waits for the handler in progress, and for a run in one of its modes.
///
/// The fire times of a repeating timer are planned in advance, independently of when it actually fires, so they do not
/// drift. If several planned times have passed when it fires, it fires once for all of them, and next at the first
/// planned time after its handler returns.
///
/// A timer that is in a loop belongs to the loop's thread: other threads must not change it.
public final class Timer: Sendable {
    let membership = Membership()
    /// The time between two planned fire times. 0 if the timer does not repeat.
    public let timeInterval: Duration
    private let repeats: Bool
    private let handle: Handle
    private let body: @Sendable (Timer) throws -> Void
    /// Accessed only by the loop's own thread, once the timer has been added to one.
    private let plan: Guarded<Plan>

    private struct Plan {
        var next: Instant
        var tolerance = Duration.zero
        var isFiring = false
    }

    /// The shortest interval of a repeating timer: 0.1 ms, as in Foundation.
    public static let shortestInterval = Duration.microseconds(100)

    /// A timer that first fires one interval from now. Add it to a loop.
    public convenience init(
        _ name: String? = nil, timeInterval: Duration, repeats: Bool = false, file: StaticString = #fileID,
        line: UInt = #line, _ body: @escaping @Sendable (Timer) throws -> Void
    ) {
        let interval = repeats ? max(timeInterval, Self.shortestInterval) : timeInterval
        self.init(
            name, fire: Instant.now + interval, interval: interval, repeats: repeats, file: file, line: line, body)
    }

    /// A timer that first fires at this moment, or as soon as possible after it. Add it to a loop.
    ///
    /// - Parameter body: runs on the loop's thread, and receives the timer, which it may invalidate.
    public init(
        _ name: String? = nil, fire date: Instant, interval: Duration = .zero, repeats: Bool = false,
        file: StaticString = #fileID, line: UInt = #line, _ body: @escaping @Sendable (Timer) throws -> Void
    ) {
        handle = Handle(.other, shownAs: .timer, name, at: SourceSite(file, line))
        timeInterval = repeats ? max(interval, Self.shortestInterval) : .zero
        self.repeats = repeats
        self.body = body
        plan = Guarded(Plan(next: date))
    }

    /// Makes a timer and adds it to the calling thread's loop.
    @discardableResult
    public static func scheduled(
        _ name: String? = nil, timeInterval: Duration, repeats: Bool = false, in mode: RunLoop.Mode = .default,
        file: StaticString = #fileID, line: UInt = #line, _ body: @escaping @Sendable (Timer) throws -> Void
    ) throws -> Timer {
        let timer = Timer(name, timeInterval: timeInterval, repeats: repeats, file: file, line: line, body)
        try RunLoop.current.add(timer, to: mode, file: file, line: line)
        return timer
    }

    /// Whether the timer can fire: false once it has been invalidated, and once a timer that does not repeat has fired.
    public var isValid: Bool { membership.isValid }

    /// The planned time of the next fire; for an invalid timer, the time that was planned last.
    public var fireDate: Instant { plan.value.next }

    /// Moves the planned time of the next fire, and with it the following ones.
    ///
    /// - Throws: `Misuse` `wrong-thread`, if the timer is in another thread's loop.
    public func setFireDate(_ date: Instant, file: StaticString = #fileID, line: UInt = #line) throws {
        try membership.checkThread(at: SourceSite(file, line))
        plan.value.next = date
    }

    /// How much later than planned the timer may fire, so that the loop can wake up once for several timers.
    public var tolerance: Duration { plan.value.tolerance }

    /// - Throws: `Misuse` `wrong-thread`, if the timer is in another thread's loop.
    public func setTolerance(_ tolerance: Duration, file: StaticString = #fileID, line: UInt = #line) throws {
        try membership.checkThread(at: SourceSite(file, line))
        plan.value.tolerance = max(.zero, tolerance)
    }

    /// Calls the handler now. A repeating timer keeps its plan; any other timer becomes invalid.
    ///
    /// - Throws: `Misuse` `wrong-thread`, if the timer is in another thread's loop; and what the handler throws.
    public func fire(file: StaticString = #fileID, line: UInt = #line) throws {
        let site = SourceSite(file, line)
        try membership.checkThread(at: site)
        guard isValid else { return }
        try callHandler(at: site)
    }

    /// Removes the timer from every mode of its loop. It never fires again.
    ///
    /// - Throws: `Misuse` `wrong-thread`, if the loop belongs to another thread.
    public func invalidate(file: StaticString = #fileID, line: UInt = #line) throws {
        try leaveForGood(at: SourceSite(file, line))
    }

    /// The latest time at which the loop must wake up for the timer.
    var latest: Instant { plan.value.isFiring ? .distantFuture : plan.value.next + plan.value.tolerance }

    /// Whether the timer must fire. While its handler runs, a nested run of the loop does not call it again.
    func isDue(at now: Instant) -> Bool { isValid && !plan.value.isFiring && plan.value.next <= now }

    /// Called by the loop once the planned time has come: calls the handler, and plans the next fire.
    func fireAsPlanned(at site: SourceSite) throws {
        let planned = plan.value.next
        plan.value.isFiring = true
        defer { plan.value.isFiring = false }
        try callHandler(at: site)
        // The handler may have set another time.
        guard repeats && plan.value.next == planned else { return }
        let missed = (Instant.now - planned).wholeNanoseconds / timeInterval.wholeNanoseconds
        plan.value.next = planned + timeInterval * (max(0, missed) + 1)
    }

    private func callHandler(at site: SourceSite) throws {
        handle.record(.timerFire, plan.value.next.nanoseconds, at: site)
        // As in CoreFoundation, a timer that does not repeat becomes invalid first, so that its handler cannot fire it
        // again.
        if !repeats { try leaveForGood(at: site) }
        try body(self)
    }
}

extension Timer: LoopItem {
    static var list: WritableKeyPath<ModeItems, [Timer]> { \.timers }
    func record(_ remark: Remark, at site: SourceSite) { handle.record(remark, at: site) }
}

// MARK: - Its remarks in traces

extension Remark {
    fileprivate static let timerFire = Remark(
        "timer.fire", "fire {object} planned for {value}", value: .nanoseconds,
        says: "The timer fires; the time for which that was planned")
}
