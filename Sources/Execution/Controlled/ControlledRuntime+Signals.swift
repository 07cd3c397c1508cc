import Machine
import Trace

/// Hooks, by which threads can be interrupted between two steps, and killed there.
extension ControlledRuntime {
    package var stepHook: (any StepHook)? {
        get { present.hooks[current] }
        set {
            present.hooks[current] = newValue
            if newValue != nil { present.hasHooks = true }
        }
    }

    /// Lets a new thread inherit the signal mask and the process of the calling thread, which starts it.
    func inheritHooks(_ thread: Int) {
        if blocksSignal { present.signalBlocked.insert(thread) }
        if let process = present.processes[current] { present.processes[thread] = process }
    }

    /// Runs the calling thread's hooks, if it has any, before an operation.
    @inline(never) func callHook() throws {
        let thread = current
        guard verdict == nil, !present.inHook.contains(thread) else { return }
        let own = present.hooks[thread]
        let signal = present.signalBlocked.contains(thread) ? nil : present.signalHook
        if own == nil && signal == nil { return }
        present.inHook.insert(thread)
        defer { present.inHook.remove(thread) }
        try own?.beforeOperation()
        try signal?.beforeOperation()
    }

    /// Ends the thread, and leaves its fiber where it is until the run is over. Then the fiber unwinds: its releases of
    /// locks have no effect any more.
    package func endAtOnce() throws -> Never {
        if verdict == nil {
            let thread = current
            for value in present.slots.values(of: thread) { (value as? any KillNotice)?.ownerIsKilled() }
            journal?.record(.threadKilled, thread: thread, at: .unknown, time: state.time)
            state.end(thread, result: 0)
            present.killed.append(thread)
            if let next = nextAfterEnd() { jump(to: next) } else { leaveRun() }
        }
        throw RunEnded.error
    }
}

/// The model of the signal: a semaphore counts pending signals, and a thread that receives one takes a permit.
extension ControlledRuntime {
    package func installSignal(_ hook: any StepHook) -> Bool {
        guard present.signalHook == nil else { return false }
        present.signalHook = hook
        present.hasHooks = true
        return true
    }

    package var blocksSignal: Bool {
        get { present.signalBlocked.contains(current) }
        set {
            if newValue { present.signalBlocked.insert(current) } else { present.signalBlocked.remove(current) }
            present.hasHooks = true
        }
    }
}

/// The model of processes: another process is a thread. Its process number is the number of the atomic that says
/// whether it has ended.
extension ControlledRuntime {
    package var processNumber: Int {
        get { present.processes[current] ?? 0 }
        set {
            present.processes[current] = newValue
            present.hasHooks = true
        }
    }
}
