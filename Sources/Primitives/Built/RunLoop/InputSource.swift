import Execution
import Machine
import Trace

/// A custom source of events for a run loop (guide: Defining a Custom Input Source): any thread signals it, and the
/// loop's own thread handles it. Signaling does not wake a sleeping loop: also call the loop's `wakeUp`.
///
/// A source can be in several modes of one loop, but only in one loop at a time.
public final class InputSource: Sendable {
    let membership = Membership()
    private let handle: Handle
    private let isSignaled: Atomic<Bool>
    private let schedule: (@Sendable (RunLoop, RunLoop.Mode) throws -> Void)?
    private let cancel: (@Sendable (RunLoop, RunLoop.Mode) throws -> Void)?
    private let perform: @Sendable () throws -> Void

    /// - Parameters:
    ///   - schedule: runs on the loop's thread when the source is added to a loop, for example to inform clients about
    ///     the loop.
    ///   - cancel: runs on the loop's thread when the source is removed from a loop: the place to tell clients that the
    ///     source is gone.
    ///   - perform: runs on the loop's thread, once for all signals since its last run.
    public init(
        _ name: String? = nil, file: StaticString = #fileID, line: UInt = #line,
        schedule: (@Sendable (RunLoop, RunLoop.Mode) throws -> Void)? = nil,
        cancel: (@Sendable (RunLoop, RunLoop.Mode) throws -> Void)? = nil,
        perform: @escaping @Sendable () throws -> Void
    ) {
        let site = SourceSite(file, line)
        handle = Handle(.other, shownAs: .inputSource, name, at: site)
        isSignaled = Atomic(partOf: name ?? "input source", false, at: site)
        self.schedule = schedule
        self.cancel = cancel
        self.perform = perform
    }

    /// Whether it can be added to a loop: false once it has been invalidated.
    public var isValid: Bool { membership.isValid }

    /// Marks the source as having something to handle. Can be called from any thread.
    public func signal(file: StaticString = #fileID, line: UInt = #line) throws {
        handle.record(.sourceSignal, at: SourceSite(file, line))
        try isSignaled.store(true, file: file, line: line)
    }

    /// Removes the source from every mode of its loop, with its `cancel` callback for each. It cannot be added again.
    ///
    /// - Throws: `Misuse` `wrong-thread`, if the loop belongs to another thread.
    public func invalidate(file: StaticString = #fileID, line: UInt = #line) throws {
        try leaveForGood(at: SourceSite(file, line))
    }

    /// Runs the handler if the source was signaled since the handler last began. Returns whether it ran.
    func performIfSignaled(at site: SourceSite) throws -> Bool {
        guard try isSignaled.exchange(false, at: site) else { return false }
        handle.record(.sourcePerform, at: site)
        try perform()
        return true
    }
}

extension InputSource: LoopItem {
    static var list: WritableKeyPath<ModeItems, [InputSource]> { \.sources }
    func record(_ remark: Remark, at site: SourceSite) { handle.record(remark, at: site) }

    func wasAdded(to loop: RunLoop, _ mode: RunLoop.Mode, at site: SourceSite) throws {
        try schedule?(loop, mode)
    }

    func wasRemoved(from loop: RunLoop, _ mode: RunLoop.Mode, at site: SourceSite) throws {
        try cancel?(loop, mode)
    }
}

// MARK: - Its remarks in traces

extension Remark {
    fileprivate static let sourceSignal = Remark(
        "source.signal", "signal {object}",
        says: "The input source was signaled")
    fileprivate static let sourcePerform = Remark(
        "source.perform", "perform {object}",
        says: "The input source's work is done")
}
