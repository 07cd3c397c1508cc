import CContext
import CLab
import Machine
import Trace

/// Threads as fibers: how they start, switch to each other, end, and unwind when the run is over.
extension ControlledRuntime {
    /// Makes a thread: one that is about to take its first step or, at the beginning, the main thread, which is
    /// running. Returns nil if there is no memory or no number for it.
    func makeThread(_ status: ThreadState.Status, _ body: consuming ThreadBody, stackSize: Int? = nil) -> Int? {
        guard let fiber = present.pool.take(Self.fiberEntry, for: body, stackSize: stackSize) else { return nil }
        guard let thread = state.addThread(status: status) else {
            _ = present.pool.takeBody(of: fiber)
            present.pool.give(back: fiber)
            return nil
        }
        fiberOf[thread] = fiber
        return thread
    }

    // MARK: - Jumps

    /// Jumps to the thread's fiber. Returns when a thread jumps back to the calling fiber.
    @inline(__always) func jump(to thread: Int) {
        let from = fiberOf[current]
        current = thread
        jump(from: from, to: fiberOf[thread])
    }

    /// Jumps to the stack on which `run` was called. Returns when the thread is resumed to unwind.
    func leaveRun() { jump(from: fiberOf[current], to: FiberPool.host) }

    /// Jumps from the stack on which `run` was called to a thread. Returns when the run is over, or the thread has
    /// unwound.
    func resume(_ thread: Int) {
        current = thread
        jump(from: FiberPool.host, to: fiberOf[thread])
    }

    @inline(__always) private func jump(from: Int32, to: Int32) {
        context_switch(present.pool.context(of: from), present.pool.context(of: to))
    }

    // MARK: - The life of a thread

    /// The code of a fiber: it runs the bodies of threads, one after the other. While it is parked between two of them,
    /// it holds no reference.
    static let fiberEntry: @convention(c) () -> Void = {
        while true { ThreadContext.controlledRuntime._withUnsafeGuaranteedRef { $0.runThread() } }
    }

    /// Runs the current thread from its first step to its end. Returns when the fiber is used again.
    private func runThread() {
        let fiber = fiberOf[current]
        // After an execution, the fiber that runs releases its remains (`releaseRemains`).
        if present.remains == nil {
            runToEnd(fiber)
        } else {
            dropRemains()
            present.isReleasing = false
        }
        present.pool.give(back: fiber)
        switchToNext()
    }

    /// How a body ended: it returned a value, or `ThreadExit` left it with a value. `failed`: it threw another error,
    /// or the run is over.
    private enum End {
        case returned(Int)
        case left(Int)
        case failed
    }

    /// Runs the current thread. Not inlined, so that whatever the body holds is released before the fiber parks, and
    /// not when it is reused.
    @inline(never) private func runToEnd(_ fiber: Int32) {
        let thread = current
        if verdict == nil && thread != 0 {
            takeFirstStep()
            journal?.recordStart(of: thread, time: state.time)
        }
        var result = 0
        switch runBody(of: fiber) {
        case .failed: break
        case .left(let value):
            result = value
            finish(with: value)
        case .returned(let value):
            result = value
            thread == 0 ? exitProcess() : finish(with: value)
        }
        state.end(thread, result: result)
    }

    /// Runs the body. Not inlined, so that the body, and perhaps objects in use with it, are released when this
    /// returns.
    @inline(never) private func runBody(of fiber: Int32) -> End {
        // If the run is over before the body begins, the body is only released. That happens here, on a fiber, because
        // a `deinit` may never return, and then the fiber can be abandoned.
        guard let body = present.pool.takeBody(of: fiber), verdict == nil else { return .failed }
        do {
            return .returned(try body.run())
        } catch {
            // While unwinding, the error does not matter, and examining it is slow.
            if verdict != nil { return .failed }
            if let exit = error as? ThreadExit { return .left(exit.value) }
            fail(error)
            return .failed
        }
    }

    /// Completes a thread whose body has ended without an error. A main thread that leaves by `Thread.exit` ends in the
    /// same way: the process lives until its last thread has ended.
    private func finish(with result: Int) {
        settleDiscarded(by: current)
        runDestructors()
        settleDiscarded(by: current)
        if verdict == nil {
            journal?.record(.threadExit, thread: current, value: result, at: .unknown, time: state.time)
        }
    }

    /// Runs destructors as POSIX does: for each value once, with its slot already empty, and in a few more rounds if
    /// destructors store values again.
    private func runDestructors() {
        if present.slots.isUnused { return }
        let thread = current
        for _ in 0..<ControlledSlots.destructorRounds {
            var round = present.slots.usedKeys(of: thread)
            if round.isEmpty || verdict != nil { break }
            while verdict == nil, let taken = present.slots.takeDestructible(of: thread, round: &round) {
                if taken.object != 0 { record(.slotDestroy, taken.object, 0, at: .unknown) }
                taken.destructor(taken.value)
            }
        }
        _ = present.slots.forget(thread)
    }

    /// Continues with another thread: the calling one has ended. Returns when its fiber is used again.
    private func switchToNext() {
        guard verdict == nil, let next = nextAfterEnd() else {
            leaveRun()
            return
        }
        jump(to: next)
    }

    // MARK: - After the end

    /// The number of calls that a thread may make after the end (`performAfterEnd`). As many further calls throw,
    /// whatever they are. After that the thread is abandoned.
    private static let patience = 1000

    /// Resumes every thread whose body has not ended, so that it throws and unwinds, or never begins its body.
    func unwind() {
        for thread in 0..<state.threadCount where !state.hasEnded(thread) || present.killed.contains(thread) {
            present.callsSinceEnd = 0
            resume(thread)
            if !state.hasEnded(thread) { present.abandoned.append(fiberOf[thread]) }
        }
        current = 0
        clab_abandon_onces(present.onces)
        if !present.abandoned.isEmpty { reuseAbandoned() }
    }

    /// Makes the stacks of abandoned threads available again. Called when all other threads have unwound, because they
    /// may use what is on such a stack.
    private func reuseAbandoned() {
        for fiber in present.abandoned { present.pool.restart(fiber, Self.fiberEntry) }
        present.abandoned.removeAll(keepingCapacity: true)
    }

    package func endCaller(with error: any Error) -> Never {
        fail(error)
        while true { leaveRun() }
    }

    /// Performs an operation after the end of the run. Unwinding code may release what it holds. A `deinit`, which
    /// cannot be unwound, may also take the operations that have a `belatedResult`. Everything else throws, and code
    /// that continues regardless is abandoned.
    func performAfterEnd(_ operation: Operation, on target: RuntimeObject) throws -> Int {
        present.callsSinceEnd += 1
        if present.callsSinceEnd > 2 * Self.patience {
            journal?.record(.note, thread: current, text: Self.ignoresEnd, at: .unknown, time: state.time)
            leaveRun()
        }
        guard present.callsSinceEnd <= Self.patience else { throw RunEnded.error }
        if operation.kind.isRelease {
            if operation.kind == .unlock { present.heldBelatedly.remove(target.id) }
            return 0
        }
        guard Belated.isDeinit else { throw RunEnded.error }
        if operation.kind.row.lock == .mutex {
            // Code may assert that it holds a lock by trying to take it, which must fail.
            let isFree = present.heldBelatedly.insert(target.id).inserted
            let isRecursive = target.id < state.objectCount && state.object(target.id).kind == .recursiveMutex
            if operation.kind == .tryLock && !isFree && !isRecursive { return Mutexes.Locked.busy }
        }
        var word = word(of: target)
        defer { present.belated[target.id] = word }
        return try operation.belatedResult(&word)
    }

    /// Refuses an operation on an object of another execution. The calling thread may be in an execution or in none.
    @inline(never) func performOnForeign(_ operation: Operation, on target: RuntimeObject) throws -> Int {
        if operation.kind.isRelease && Belated.isDeinit { return 0 }
        if let context = ThreadContext.current, !context.isNative {
            ThreadContext.controlledRuntime._withUnsafeGuaranteedRef { $0.present.foreignUses += 1 }
        }
        throw origins.foreignObject(target)
    }

    /// Makes an object after the end. It is not added to the machine, because the machine's state at the end is a
    /// result.
    func makeBelatedObject(_ value: Int) -> RuntimeObject {
        let id = UInt32.max - UInt32(present.belated.count)
        present.belated[id] = value
        return RuntimeObject(id: id, storage: executionTag)
    }

    private static let ignoresEnd =
        "continues for \(2 * patience) calls after RunEnded: it was abandoned, and what it holds is leaked"
}

extension ThreadContext {
    /// The calling thread's runtime, which must be a controlled one. The reference is not counted, and the function is
    /// not inlined, so that nothing that it touches is still retained when it returns.
    @inline(never) static var controlledRuntime: Unmanaged<ControlledRuntime> {
        guard let context = current, !context.isNative else { preconditionFailure("a fiber outside a controlled run") }
        return .fromOpaque(context.address)
    }
}
