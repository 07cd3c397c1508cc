import CLab
import Machine
import Trace

/// The running execution, and its progress.
extension ControlledRuntime {
    /// The variables that change at every step. Behind a pointer, because a class's own variables are checked for
    /// exclusive access at each use, which would cost a sixth of the speed.
    struct Present: ~Copyable {
        /// An object that was released while a thread used it, and the thread that released it.
        var discarded: (object: UInt32, thread: Int)?
        /// The number of calls made by the unwinding thread since the end of the run.
        var callsSinceEnd = 0
        /// The execution's number, unique in the process.
        var execution = 0
        var pool: FiberPool
        var slots = ControlledSlots()
        var context: ThreadContext?
        /// The address of `context`, by which the thread that runs the execution is recognized.
        var caller: UnsafeMutableRawPointer?
        /// The source location of the error that ended the execution.
        var failure = SourceSite.unknown
        /// The number of threads in `stuck`, which could not continue when the execution ended.
        var stuckCount = 0
        var priorities: [Int: Int] = [:]

        /// The named words of memory: see `sharedWord`.
        var words: [ObjectIdentity: (name: String, object: RuntimeObject)] = [:]

        /// The fibers of threads that did not unwind.
        var abandoned: [Int32] = []
        /// By object: the value stored after the end of the execution, because the machine's state, which is a result,
        /// must not change.
        var belated: [UInt32: Int] = [:]
        /// The mutexes that a `deinit` has locked after the end.
        var heldBelatedly: Set<UInt32> = []
        /// The objects that a fiber must release; `isReleasing`: whether it has begun and not returned.
        var remains: Remains?
        var isReleasing = false
        /// The initializers of globals that are running. The address must not change.
        let onces = UnsafeMutablePointer<clab_onces_t>.allocate(capacity: 1)
        /// The number of objects that initializers made, and of operations that they performed without a step.
        var globalObjects = 0
        var unseenSteps = 0
        /// In all executions so far: the number of initializers that ran, and of uses of other executions' objects.
        var initializers = 0
        var foreignUses = 0

        init(execution: Int, pool: consuming FiberPool) {
            self.execution = execution
            self.pool = pool
            onces.initialize(to: ControlledRuntime.onces)
        }

        deinit { onces.deallocate() }

        /// Whether the execution has, or had, a thread with a hook. One word, because every step reads it.
        var hasHooks = false
        /// By thread: its hook.
        var hooks: [Int: any StepHook] = [:]
        /// The threads inside a hook, which are not interrupted.
        var inHook: Set<Int> = []
        /// The hook of threads that do not block the signal.
        var signalHook: (any StepHook)?
        var signalBlocked: Set<Int> = []
        /// By thread: the number of the process that it models, unless that is the first process.
        var processes: [Int: Int] = [:]
        /// The threads that were killed, and have not unwound.
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

    /// A number that distinguishes where executions with the same verdict ended. It represents the line of the error,
    /// or the lines of the threads that have not ended, in any order; in a deadlock, the lines of the threads in the
    /// cycle; in a leak, what was left behind. 0: the execution completed, or is in a cycle of states.
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

    /// Represents the lines on which the threads were started that were never joined, whatever they were doing, and the
    /// objects that were never released.
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
