import Synchronization
import Trace

/// The slots that built primitives share, created in a run when first needed.
package final class KnownSlots: Sendable {
    package enum Slot: Int, CaseIterable, Sendable { case dictionary, runLoop, exitNotices, mainQueue }

    private let keys = Mutex([Int?](repeating: nil, count: Slot.allCases.count))

    /// The main thread's run loop and queue, for other threads. Its slots own them.
    private let main = Mutex(WeakReference())
    private let queue = Mutex(WeakReference())
    private let stacks = Mutex<AnyObject?>(nil)

    private struct WeakReference: @unchecked Sendable {
        weak var object: AnyObject?
    }

    package var mainLoop: AnyObject? { main.withLock { $0 }.object }
    package func setMainLoop(_ loop: AnyObject) {
        let reference = WeakReference(object: loop)
        main.withLock { $0 = reference }
    }

    package var mainQueue: AnyObject? { queue.withLock { $0 }.object }
    package func setMainQueue(_ object: AnyObject) {
        let reference = WeakReference(object: object)
        queue.withLock { $0 = reference }
    }

    /// The queues whose blocks each thread is running, made when first needed.
    package func queueStacks(_ make: @Sendable () -> AnyObject) -> AnyObject {
        stacks.withLock { stacks in
            if let stacks { return stacks }
            let new = make()
            stacks = new
            return new
        }
    }

    /// Begins a new run, without slots.
    func forget() {
        keys.withLock { keys in for index in keys.indices { keys[index] = nil } }
        main.withLock { $0 = WeakReference() }
        queue.withLock { $0 = WeakReference() }
        stacks.withLock { $0 = nil }
    }

    fileprivate func key(of slot: Slot, make: () -> Int?) -> Int {
        keys.withLock { keys in
            if let key = keys[slot.rawValue] { return key }
            guard let key = make() else { preconditionFailure("the system has no thread-local key left") }
            keys[slot.rawValue] = key
            return key
        }
    }
}

extension Runtime {
    /// The key of a known slot.
    ///
    /// - Parameter destructor: of the values, if the slot does not exist yet.
    package func knownSlot(_ slot: KnownSlots.Slot, _ destructor: (@Sendable (AnyObject) -> Void)? = nil) -> Int {
        knownSlots.key(of: slot) { makeSlot(shownAs: .part, destructor) }
    }
}
