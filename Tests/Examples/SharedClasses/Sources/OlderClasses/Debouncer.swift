import Foundation

/// Makes the last of several calls, when no other has come for a while. Written for Swift 5, like much code: nothing
/// here is sendable.
public final class Debouncer {
    private let queue = DispatchQueue(label: "debouncer")
    private let interval: TimeInterval
    private var item: DispatchWorkItem?
    private var due = Date.distantPast

    /// - Parameter interval: how long no other call may come, in seconds.
    public init(interval: TimeInterval) { self.interval = interval }

    public func call(_ block: @escaping () -> Void) {
        queue.async {
            self.item?.cancel()
            let item = DispatchWorkItem(block: block)
            self.item = item
            self.due = Date() + self.interval
            self.queue.asyncAfter(deadline: DispatchTime.now() + self.interval, execute: item)
        }
    }

    /// How long it takes until the call is made, in seconds, if no other comes.
    public var remaining: TimeInterval { queue.sync { max(0, due.timeIntervalSinceNow) } }
}

/// A value that is made in the background, and for which threads wait.
///
/// The bug: the semaphore has one signal, so that only the first thread that waits gets the value.
public final class Future<Value> {
    private let lock = NSLock()
    private let ready = DispatchSemaphore(value: 0)
    private var value: Value?
    private let keepsSignal: Bool

    /// - Parameter keepsSignal: without the bug: a thread that has waited lets the next one continue.
    public init(keepsSignal: Bool, _ make: @escaping () -> Value) {
        self.keepsSignal = keepsSignal
        Thread.detachNewThread {
            let value = make()
            self.lock.lock()
            self.value = value
            self.lock.unlock()
            self.ready.signal()
        }
    }

    /// Nil: it took longer than that, in milliseconds.
    public func get(within milliseconds: Int) -> Value? {
        let deadline = DispatchTime.now() + .milliseconds(milliseconds)
        guard ready.wait(timeout: deadline) == .success else { return nil }
        if keepsSignal { ready.signal() }
        return lock.withLock { value }
    }
}
