import CLab
import CPthread
import Glibc
import Trace

/// A real signal, `SIGUSR1`. The kernel chooses the thread that gets it; its handler in C only notes that.
extension NativeRuntime {
    private static let number = SIGUSR1

    package func installSignal(_ hook: any StepHook) -> Bool {
        guard signalHook.install(hook) else { return false }
        checkErrno(clab_note_signal(Self.number), "sigaction")
        signs.set(.hooks)
        return true
    }

    package var blocksSignal: Bool {
        get { caller.blocksSignal }
        set {
            caller.blocksSignal = newValue
            check(clab_block_signal(Self.number, newValue ? 1 : 0), "pthread_sigmask")
        }
    }

    package func sendSignal(_ pending: RuntimeObject, at site: SourceSite) throws {
        try checkRunning()
        checkErrno(kill(getpid(), Self.number), "kill")
    }

    package func takeSignal(_ pending: RuntimeObject) -> Bool { clab_take_signal() != 0 }

    package func waitForSignal(_ pending: RuntimeObject, at site: SourceSite) throws {
        caller.record(.semaphoreWait, pending.id, 0, site)
        _ = try block(until: .max) { clab_wait_for_signal(Self.number, Int64($0)) }
    }
}
