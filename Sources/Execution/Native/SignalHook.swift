import Synchronization

/// The handler of the run's signal, once there is one. Threads read it without a lock.
struct SignalHook: ~Copyable {
    private final class Installed: Sendable {
        let hook: any StepHook

        init(_ hook: any StepHook) { self.hook = hook }
    }

    private let installed = AtomicLazyReference<Installed>()

    var hook: (any StepHook)? { installed.load()?.hook }

    /// - Returns: false if there is one already.
    func install(_ hook: any StepHook) -> Bool {
        let new = Installed(hook)
        return installed.storeIfNil(new) === new
    }
}
