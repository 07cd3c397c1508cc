import CLab
import CPthread
import Glibc
import Synchronization
import Trace

/// Hooks, by which threads can be interrupted between two operations, and killed there.
extension NativeRuntime {
    package var stepHook: (any StepHook)? {
        get { caller.hook }
        set {
            caller.hook = newValue
            signs.set(.hooks)
        }
    }

    /// Runs the thread's hooks, if it has any, before an operation.
    @inline(never) func callHooks(_ me: NativeThread) throws {
        guard !hasEnded, !me.isInHook else { return }
        me.isInHook = true
        defer { me.isInHook = false }
        try me.hook?.beforeOperation()
        if !me.blocksSignal { try signalHook.hook?.beforeOperation() }
    }

    /// Ends the calling thread by the system call `exit`, which on Linux ends a single thread: no handler and no
    /// destructor runs, and nothing is unwound. POSIX only has `pthread_cancel`, which unwinds the stack, and Swift
    /// code does not survive that.
    package func endAtOnce() throws -> Never {
        let me = caller
        for value in me.slots.values { (value as? any KillNotice)?.ownerIsKilled() }
        try checkRunning()
        me.record(.threadKilled, 0, 0, .unknown)
        depart(me)
        clab_end_thread()
    }

    package func endCaller(with error: any Error) -> Never {
        if options.isAmbient {
            // An object of a run refused the thread, which belongs to no run.
            if error is ForeignThread { clab_end_thread() }
            failOutsideRun("\(error)")
        }
        let me = caller
        conclude(error, me)
        if me.index == 0 {
            endMain(me)
        } else {
            releaseLocks(of: me)
            depart(me)
        }
        clab_end_thread()
    }
}

/// The run's signal is a real one, `SIGUSR1`. The kernel chooses the thread that receives it, and the handler, in C,
/// only notes it for that thread.
extension NativeRuntime {
    private static let signalNumber = SIGUSR1

    package func installSignal(_ hook: any StepHook) -> Bool {
        guard signalHook.install(hook) else { return false }
        checkErrno(clab_note_signal(Self.signalNumber), "sigaction")
        signs.set(.hooks)
        return true
    }

    package var blocksSignal: Bool {
        get { caller.blocksSignal }
        set {
            caller.blocksSignal = newValue
            check(clab_block_signal(Self.signalNumber, newValue ? 1 : 0), "pthread_sigmask")
        }
    }

    package func sendSignal() throws {
        try checkRunning()
        checkErrno(kill(getpid(), Self.signalNumber), "kill")
    }

    package func takeSignal() -> Bool { clab_take_signal() != 0 }

    package func waitForSignal(_ pending: RuntimeObject, at site: SourceSite) throws {
        // In traces, `pending` is a semaphore that counts pending signals, as in a controlled run.
        caller.record(.semaphoreWait, pending.id, 0, site)
        // Without a deadline: `.max` is `Operation.never`.
        _ = try block(until: .max) { clab_wait_for_signal(Self.signalNumber, Int64($0)) }
    }
}

/// The hook that runs the handler of the run's signal, if there is one. Threads read it without a lock.
struct SignalHook: ~Copyable {
    private final class Installed: Sendable {
        let hook: any StepHook

        init(_ hook: any StepHook) { self.hook = hook }
    }

    private let installed = AtomicLazyReference<Installed>()

    var hook: (any StepHook)? { installed.load()?.hook }

    /// - Returns: false if there is already a handler.
    func install(_ hook: any StepHook) -> Bool {
        let new = Installed(hook)
        return installed.storeIfNil(new) === new
    }
}
