import CLab
import Trace

/// Threads that can be interrupted between two operations, and killed there.
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

    /// Linux ends one thread with the system call `exit`: no handler, no destructor, nothing is unwound. POSIX has only
    /// `pthread_cancel`, which unwinds the stack, and Swift code does not survive that.
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
            // An object of a run has refused the thread, which is none of that run's. The thread is not ours either.
            if error is ForeignThread { clab_end_thread() }
            AmbientRuntime.fail("\(error)")
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
