import CLab
import Machine
import Trace

/// The state of the running execution, and the results of the last one.
extension ControlledRuntime {
    /// The runtime's variables. They are behind a pointer, because accesses of a class's own variables are checked for
    /// exclusivity, which would cost a sixth of the speed.
    struct Present: ~Copyable {
        /// An object that was released while a thread held it or waited on it, and the thread that released it: see
        /// `discard`.
        var discarded: (object: UInt32, thread: Int)?
        /// The number of calls made by the unwinding thread since the end of the run.
        var callsSinceEnd = 0
        /// The execution's number, unique in the process. Objects carry it (`executionTag`).
        var execution = 0
        /// The fibers on which the threads run.
        var pool: FiberPool
        var slots = ControlledSlots()
        var context: ThreadContext?
        /// The address of `context`, by which the thread that runs the execution is recognized.
        var caller: UnsafeMutableRawPointer?
        /// The source location of the error that ended the execution.
        var failure = SourceSite.unknown
        /// The number of threads in `stuck`. 0 if the execution completed.
        var stuckCount = 0
        /// By thread: its priority, if one was set.
        var priorities: [Int: Int] = [:]

        /// The named words of memory: see `sharedWord`.
        var words: [ObjectIdentity: (name: String, object: RuntimeObject)] = [:]

        /// The fibers of threads that did not unwind.
        var abandoned: [Int32] = []
        /// By object: the value after the end of the execution, if a `deinit` has changed it. The machine keeps the
        /// value at the end, which is a result.
        var belated: [UInt32: Int] = [:]
        /// The mutexes that a `deinit` has locked after the end.
        var heldBelatedly: Set<UInt32> = []
        /// After the execution: what a fiber has to release, and whether it is releasing that now.
        var remains: Remains?
        var isReleasing = false
        /// The initializers of globals that are running. The address must not change.
        let onces = UnsafeMutablePointer<clab_onces_t>.allocate(capacity: 1)
        /// In this execution: how many objects initializers made, and how many operations they performed without a
        /// step.
        var globalObjects = 0
        var unseenSteps = 0
        /// In all executions of this runtime: how many initializers ran, and how often an object of another execution
        /// was used.
        var initializers = 0
        var foreignUses = 0

        init(execution: Int, pool: consuming FiberPool) {
            self.execution = execution
            self.pool = pool
            onces.initialize(to: ControlledRuntime.onces)
        }

        deinit { onces.deallocate() }

        /// Whether operations take a slower path that handles special cases: a thread has or had a hook, the execution
        /// has a signal or several processes, or an initializer of a global ran. Every step reads this single word.
        var hasHooks = false
        /// By thread: its hook.
        var hooks: [Int: any StepHook] = [:]
        /// The threads that are inside their hook, which are not interrupted there.
        var inHook: Set<Int> = []
        /// The hook of all threads that do not block the signal.
        var signalHook: (any StepHook)?
        var signalBlocked: Set<Int> = []
        /// By thread: the number of the modeled process to which it belongs, unless that is the first process.
        var processes: [Int: Int] = [:]
        /// The threads that were killed. They unwind when the run is over.
        var killed: [Int] = []

        /// Removes all hooks and returns them for the caller to release.
        mutating func takeHooks() -> [any StepHook] {
            guard hasHooks else { return [] }
            hasHooks = false
            let taken = hooks.sorted { $0.key < $1.key }.map(\.value) + (signalHook.map { [$0] } ?? [])
            hooks = [:]
            inHook = []
            signalHook = nil
            signalBlocked = []
            processes = [:]
            killed = []
            return taken
        }
    }

    /// The thread that runs now.
    var current: Int {
        @inline(__always) get { driver.current }
        @inline(__always) set { driver.current = newValue }
    }

    /// How the execution ended. Nil while it continues.
    var verdict: Verdict? {
        @inline(__always) get { driver.verdict }
    }

    /// The choices of the last execution.
    package var schedule: Schedule { driver.schedule }

    /// The number of steps of the last execution.
    package var stepCount: Int { driver.stepCount }

    /// A number for where the execution ended, which distinguishes executions with the same verdict. It is a hash:
    /// after an error with a known line, of the line; after a leak, of what was left behind; otherwise, of the lines of
    /// the threads in `stuck`, in any order. 0 if the execution completed, or repeats a cycle of states.
    package var place: Int {
        let failure = present.failure
        if failure != .unknown { return failure.lastingNumber }
        if let verdict, verdict == .completed || verdict.isCycle { return 0 }
        if verdict == .leak { return placeOfLeak }
        var hash = StateHash()
        for thread in UnsafeBufferPointer(start: stuck.base, count: present.stuckCount) {
            hash.addInAnyOrder(sites[Int(thread)].lastingNumber)
        }
        return Int(truncatingIfNeeded: hash.value)
    }

    /// A number for the lines that started threads which were never joined or detached, whatever these were doing, and
    /// for the objects that were never released.
    private var placeOfLeak: Int {
        var hash = StateHash()
        let threads = (1..<state.threadCount).filter { !state.thread($0).isJoined && !state.thread($0).isDetached }
        for line in Set(threads.map { births[$0].lastingNumber }) { hash.addInAnyOrder(line) }
        for object in 1..<UInt32(state.objectCount) where state.isReferenced(object) {
            hash.addInAnyOrder(state.identity(of: object).word)
        }
        return Int(truncatingIfNeeded: hash.value)
    }
}
