import Execution
import Synchronization
import Trace

/// An item that a run loop watches or notifies: a source, a timer, a port or an observer.
protocol LoopItem: AnyObject, Sendable {
    /// The list in which a mode keeps items of this type.
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

/// The items of one mode.
struct ModeItems {
    var sources: [InputSource] = []
    var timers: [Timer] = []
    var ports: [Port] = []
    var observers: [RunLoopObserver] = []

    /// Whether a run would have nothing to wait for. Observers do not count.
    var isEmpty: Bool { sources.isEmpty && timers.isEmpty && ports.isEmpty }

    static func + (a: Self, b: Self) -> Self {
        Self(
            sources: a.sources + b.sources, timers: a.timers + b.timers, ports: a.ports + b.ports,
            observers: a.observers + b.observers)
    }
}

/// The one loop that an item belongs to, if any, and its modes there.
final class Membership: @unchecked Sendable {
    /// The number of the thread whose loop it is, plus 1. 0: no loop.
    private let owner = Synchronization.Atomic(0)
    private let validity = Synchronization.Atomic(true)
    // Accessed only by the thread of the loop.
    private(set) weak var loop: RunLoop?
    private(set) var modes: [RunLoop.Mode] = []

    var isValid: Bool { validity.load(ordering: .relaxed) }

    /// Makes the item invalid forever.
    ///
    /// - Returns: whether it was valid until now.
    func invalidate() -> Bool { validity.exchange(false, ordering: .relaxed) }

    /// Adds the item to a mode of the loop.
    ///
    /// - Returns: false if the item is invalid, or already in the mode.
    /// - Throws: `Misuse` `wrong-thread`, if it belongs to another thread's loop.
    func enter(_ loop: RunLoop, _ mode: RunLoop.Mode, at site: SourceSite) throws -> Bool {
        guard isValid else { return false }
        let thread = Int(loop.owner.index) + 1
        let found = owner.compareExchange(expected: 0, desired: thread, ordering: .relaxed)
        guard found.exchanged || found.original == thread else { throw Misuse.recorded(.wrongThread, at: site) }
        guard !modes.contains(mode) else { return false }
        self.loop = loop
        modes.append(mode)
        return true
    }

    /// Removes the item from a mode. After the last one, it belongs to no loop.
    ///
    /// - Returns: whether the item was in the mode.
    func leave(_ mode: RunLoop.Mode) -> Bool {
        guard let index = modes.firstIndex(of: mode) else { return false }
        modes.remove(at: index)
        if modes.isEmpty {
            loop = nil
            owner.store(0, ordering: .relaxed)
        }
        return true
    }

    /// - Throws: `Misuse` `wrong-thread`, if the item belongs to another thread's loop.
    func checkThread(at site: SourceSite) throws {
        let thread = owner.load(ordering: .relaxed)
        guard thread == 0 || thread == Int(ThreadContext.runtime.currentThread.index) + 1 else {
            throw Misuse.recorded(.wrongThread, at: site)
        }
    }
}
