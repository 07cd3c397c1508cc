import Trace

/// What a run loop watches, or notifies: a source, a timer, a port or an observer.
protocol LoopItem: AnyObject, Sendable {
    /// Where a mode keeps items of this type.
    static var list: WritableKeyPath<ModeItems, [Self]> { get }
    var membership: Membership { get }
    func record(_ remark: Remark, at site: SourceSite)

    /// Called on the loop's thread, when the item has been added to a mode.
    func wasAdded(to loop: RunLoop, _ mode: RunLoop.Mode, at site: SourceSite) throws
    /// Called on the loop's thread, when the item has been removed from a mode.
    func wasRemoved(from loop: RunLoop, _ mode: RunLoop.Mode, at site: SourceSite) throws
}

extension LoopItem {
    func wasAdded(to loop: RunLoop, _ mode: RunLoop.Mode, at site: SourceSite) {}
    func wasRemoved(from loop: RunLoop, _ mode: RunLoop.Mode, at site: SourceSite) {}

    /// Removes the item from every mode of its loop. It cannot be added again.
    func leaveForGood(at site: SourceSite) throws {
        try membership.checkThread(at: site)
        guard membership.invalidate(), let loop = membership.loop else { return }
        for mode in membership.modes { try loop.drop(self, from: mode, at: site) }
    }
}

/// What a loop watches in one mode.
struct ModeItems {
    var sources: [InputSource] = []
    var timers: [Timer] = []
    var ports: [Port] = []
    var observers: [RunLoopObserver] = []

    /// Whether there is something that a run could wait for. Observers only watch.
    var isEmpty: Bool { sources.isEmpty && timers.isEmpty && ports.isEmpty }

    static func + (a: Self, b: Self) -> Self {
        Self(
            sources: a.sources + b.sources, timers: a.timers + b.timers, ports: a.ports + b.ports,
            observers: a.observers + b.observers)
    }
}
