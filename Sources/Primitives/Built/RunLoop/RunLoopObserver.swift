import Execution
import Trace

/// A callback at certain points of a loop's runs (guide: Run Loop Observers). It does not keep a loop running.
public final class RunLoopObserver: Sendable {
    let membership = Membership()
    let activities: RunLoop.Activity
    let order: Int
    private let handle: Handle
    private let repeats: Bool
    private let body: @Sendable (RunLoop.Activity) throws -> Void
    /// Accessed only by the loop's own thread.
    private let isBusy = Guarded(false)

    /// - Parameters:
    ///   - activities: the points at which it is called.
    ///   - repeats: whether it is called more than once. If false, its first call invalidates it.
    ///   - order: observers of the same point are called in ascending order.
    ///   - body: runs on the loop's thread, and receives the point.
    public init(
        _ name: String? = nil, for activities: RunLoop.Activity = .all, repeats: Bool = true, order: Int = 0,
        file: StaticString = #fileID, line: UInt = #line, _ body: @escaping @Sendable (RunLoop.Activity) throws -> Void
    ) {
        handle = Handle(.other, shownAs: .observer, name, at: SourceSite(file, line))
        self.activities = activities
        self.repeats = repeats
        self.order = order
        self.body = body
    }

    /// An observer of all activities, for a function that is passed by name: `RunLoopObserver(note)`.
    @_disfavoredOverload
    public convenience init(
        _ body: @escaping @Sendable (RunLoop.Activity) throws -> Void, file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(nil, file: file, line: line, body)
    }

    /// Whether it can be called: false once it has been invalidated.
    public var isValid: Bool { membership.isValid }

    /// Removes the observer from every mode of its loop. It cannot be added again.
    ///
    /// - Throws: `Misuse` `wrong-thread`, if the loop belongs to another thread.
    public func invalidate(file: StaticString = #fileID, line: UInt = #line) throws {
        try leaveForGood(at: SourceSite(file, line))
    }

    /// Calls the observer, unless it is invalid, or this run is nested in a call of the observer itself.
    func call(_ activity: RunLoop.Activity, at site: SourceSite) throws {
        guard isValid && !isBusy.value else { return }
        isBusy.value = true
        defer { isBusy.value = false }
        handle.record(.observerCall, text: activity.description, at: site)
        if !repeats { try leaveForGood(at: site) }
        try body(activity)
    }
}

extension RunLoopObserver: LoopItem {
    static var list: WritableKeyPath<ModeItems, [RunLoopObserver]> { \.observers }
    func record(_ remark: Remark, at site: SourceSite) { handle.record(remark, at: site) }
}

// MARK: - Its remarks in traces

extension Remark {
    fileprivate static let observerCall = Remark(
        "observer.call", "notify {object}: {value}", value: .text,
        says: "The observer is called at this point of a run")
}

extension RunLoop {
    /// The points of a run at which observers are called (guide: Run Loop Observers).
    public struct Activity: OptionSet, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The run begins.
        public static let entry = Activity(rawValue: 1 << 0)
        /// The loop is about to process timers.
        public static let beforeTimers = Activity(rawValue: 1 << 1)
        /// The loop is about to process input sources that are not ports.
        public static let beforeSources = Activity(rawValue: 1 << 2)
        /// The loop is about to sleep.
        public static let beforeWaiting = Activity(rawValue: 1 << 3)
        /// The loop has woken up, and has not yet handled the event that woke it.
        public static let afterWaiting = Activity(rawValue: 1 << 4)
        /// The run ends.
        public static let exit = Activity(rawValue: 1 << 5)
        public static let all: Activity = [.entry, .beforeTimers, .beforeSources, .beforeWaiting, .afterWaiting, .exit]

        private static let names = [
            "entry", "before timers", "before sources", "before waiting", "after waiting", "exit",
        ]

        public var description: String {
            Self.names.indices.filter { contains(Self(rawValue: 1 << $0)) }.map { Self.names[$0] }.joined(
                separator: ", ")
        }
    }
}
