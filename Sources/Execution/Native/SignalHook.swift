/// The handler of the run's signal, once there is one. Threads read it without a lock.
final class SignalHook: @unchecked Sendable {
    private let lock = NativeLock()
    private(set) var hook: (any StepHook)?

    func install(_ hook: any StepHook) -> Bool {
        lock.withLock {
            guard self.hook == nil else { return false }
            self.hook = hook
            return true
        }
    }
}
