import CLab
import Machine
import Trace

/// The present execution, and its progress.
extension ControlledRuntime {
    /// The variables that change at every step. Behind a pointer, because variables of the class itself would be
    /// checked for exclusive access each time, which would cost an execution a sixth of its speed.
    struct Present: ~Copyable {
        /// An object in use that no thread can reach any more, and the thread that released it.
        var discarded: (object: UInt32, thread: Int)?
        /// Released by the thread that unwinds.
        var callsSinceEnd = 0
        /// The execution's number, which no other execution of the process has.
        var execution = 0
        var pool: FiberPool
        var slots = ControlledSlots()
        var context: ThreadContext?
        /// What the thread that runs the execution has as its place: the context's address.
        var caller: UnsafeMutableRawPointer?
        /// The source location of the error that ended the execution.
        var failure = SourceSite.unknown
        /// The number of threads that could not continue when it ended; `stuck` lists them.
        var stuckCount = 0
        /// The threads' priorities, where they were set.
        var priorities: [Int: Int] = [:]

        /// The words that have names.
        var words: [ObjectIdentity: (name: String, object: RuntimeObject)] = [:]

        /// The fibers of threads that did not unwind.
        var abandoned: [Int32] = []
        /// By object: what was stored after the end, when the machine's own state is a result.
        var belated: [UInt32: Int] = [:]
        /// The mutexes that a `deinit` has locked after the end.
        var heldBelatedly: Set<UInt32> = []
        /// What a fiber is to release, and whether it has begun and not returned.
        var remains: Remains?
        var isReleasing = false
        /// The initializers of globals that the threads are running. Its address must not change.
        let onces = UnsafeMutablePointer<clab_onces_t>.allocate(capacity: 1)
        /// The numbers of objects that initializers made, and of the steps that they took unseen.
        var globalObjects = 0
        var unseenSteps = 0
        /// The initializers that have run, and the uses of objects of other executions, in all executions so far.
        var initializers = 0
        var foreignUses = 0

        init(execution: Int, pool: consuming FiberPool) {
            self.execution = execution
            self.pool = pool
            onces.initialize(to: ControlledRuntime.onces)
        }

        deinit { onces.deallocate() }

        /// Whether the execution has, or had, a thread with a hook: a word, because every step reads it.
        var hasHooks = false
        /// By thread.
        var hooks: [Int: any StepHook] = [:]
        /// The threads inside a hook, which are not interrupted.
        var inHook: Set<Int> = []
        /// The hook of threads that do not block the signal.
        var signalHook: (any StepHook)?
        var signalBlocked: Set<Int> = []
        /// By thread: the number of the process that it stands for, if it is not the first one.
        var processes: [Int: Int] = [:]
        /// The threads that were killed, and have not unwound.
        var killed: [Int] = []

        /// Forgets what belongs to hooks, and returns these: the caller releases them.
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

    /// The running thread.
    var current: Int {
        @inline(__always) get { driver.current }
        @inline(__always) set { driver.current = newValue }
    }

    /// How the execution ended. Nil while it continues.
    var verdict: Verdict? {
        @inline(__always) get { driver.verdict }
    }

    /// The choices that the last execution took.
    package var schedule: Schedule { driver.schedule }

    /// How many steps the last execution took.
    package var stepCount: Int { driver.stepCount }

    /// A number that distinguishes where executions with the same verdict ended: the line of the error, or the lines of
    /// the threads that have not ended, in any order; for a deadlock, those in the cycle; for a leak, what was left behind.
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

    /// The lines on which the threads were started that were never joined, whatever they were doing; and the objects that were never
    /// released.
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
