import Synchronization
import Trace

/// Something that does not outlive its run.
package protocol RunBound: AnyObject, Sendable {
    /// Drops what refers to other objects of the run, which may refer back.
    func runHasEnded()
}

/// The slots that built primitives share, created in a run when first needed.
package final class KnownSlots: Sendable {
    package enum Slot: Int, CaseIterable, Sendable {
        case dictionary, runLoop, exitNotices, autoreleasePools, mainQueue
    }

    private let keys = Mutex([Int?](repeating: nil, count: Slot.allCases.count))

    /// The main thread's run loop and queue, for other threads. Its slots own them.
    private let main = Mutex(WeakReference())
    private let queue = Mutex(WeakReference())
    private let queues = Mutex<(any RunBound)?>(nil)

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

    /// What the queues of the run share, made when first needed.
    package func queues(_ make: @Sendable () -> any RunBound) -> any RunBound {
        queues.withLock { queues in
            if let queues { return queues }
            let new = make()
            queues = new
            return new
        }
    }

    /// The run is over, and no thread of it is left.
    func endRun() {
        let ending = queues.withLock { queues in
            defer { queues = nil }
            return queues
        }
        ending?.runHasEnded()
    }

    /// Begins a new run, without slots.
    func forget() {
        keys.withLock { keys in for index in keys.indices { keys[index] = nil } }
        main.withLock { $0 = WeakReference() }
        queue.withLock { $0 = WeakReference() }
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
