import CLab
import CPthread
import Glibc
import Machine
import Synchronization
import Trace

/// Threads of a native run: how they start, leave, are joined and are detached.
extension NativeRuntime {
    /// Starts a POSIX thread: see `Runtime.startThread`.
    func start(
        _ name: String?, _ attributes: ThreadAttributes, at site: SourceSite,
        body: ThreadBody
    ) throws -> RuntimeObject {
        if hasEnded { throw RunEnded.error }
        if let refusal = attributes.refusal { throw ThreadCreationFailed(code: EINVAL, refusal) }
        let me = caller
        var shown = ""
        let thread = try registry.addThread(named: name) { index, unique in
            shown = unique
            return makeThread(index, unique)
        }
        thread.body = body
        thread.kernelName = kernelName(shown)
        thread.priority = attributes.priority
        // The kernel's signal mask is inherited in the same way.
        thread.blocksSignal = me.blocksSignal
        if attributes.isDetached { thread.joining.store(.detached, ordering: .relaxed) }
        try create(thread, attributes, me, site)
        return RuntimeObject(id: UInt32(thread.index), storage: Unmanaged.passUnretained(thread).toOpaque())
    }

    private func create(
        _ thread: NativeThread, _ attributes: ThreadAttributes, _ me: NativeThread, _ site: SourceSite
    ) throws {
        ending.alive.wrappingAdd(1, ordering: .acquiringAndReleasing)
        // The event of the creation must have a time before the new thread runs, and must exist only if the thread
        // does.
        let time = me.lane.reserve()
        let argument = Unmanaged.passRetained(thread)
        let code = posixCreate(thread, attributes, argument.toOpaque())
        guard code == 0 else {
            me.lane.cancel()
            argument.release()
            thread.body = nil
            thread.isFinished.store(true, ordering: .releasing)
            thread.hasLeft.store(true, ordering: .releasing)
            thread.joining.store(.joined, ordering: .releasing)
            ending.alive.wrappingSubtract(1, ordering: .acquiringAndReleasing)
            throw ThreadCreationFailed(code: code, "pthread_create: \(String(cString: strerror(code)))")
        }
        let value = Int64(thread.index)
        // Recorded even if the new thread has already ended the run: its other events would otherwise have no
        // beginning.
        let kind = attributes.isDetached ? EventKind.threadCreateDetached : .threadCreate
        me.lane.append(kind, thread: me.index, value: value, site: site, time: time)
    }

    private func posixCreate(
        _ thread: NativeThread, _ attributes: ThreadAttributes, _ argument: UnsafeMutableRawPointer
    ) -> Int32 {
        var posix = pthread_attr_t()
        check(pthread_attr_init(&posix), "pthread_attr_init")
        defer { pthread_attr_destroy(&posix) }
        let detached = attributes.isDetached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE
        check(pthread_attr_setdetachstate(&posix, Int32(detached)), "pthread_attr_setdetachstate")
        if let size = attributes.stackSize {
            let code = pthread_attr_setstacksize(&posix, size)
            if code != 0 { return code }
        }
        if let size = attributes.guardSize {
            check(pthread_attr_setguardsize(&posix, size), "pthread_attr_setguardsize")
        }
        if let policy = attributes.policy {
            check(
                pthread_attr_setinheritsched(&posix, Int32(PTHREAD_EXPLICIT_SCHED)), "pthread_attr_setinheritsched")
            var parameters = sched_param()
            parameters.sched_priority = policy.realTimePriority(attributes.priority)
            check(pthread_attr_setschedpolicy(&posix, policy.number), "pthread_attr_setschedpolicy")
            check(pthread_attr_setschedparam(&posix, &parameters), "pthread_attr_setschedparam")
        }
        return pthread_create(&thread.handle, &posix, threadMain, argument)
    }

    /// The number of bytes of a thread's name that Linux keeps.
    private static var longestKernelName: Int { 15 }

    /// The name for the kernel: the longest prefix of whole characters that fits. Traces show the full name.
    private func kernelName(_ name: String) -> String {
        var short = name
        while short.utf8.count > Self.longestKernelName { short.removeLast() }
        return short
    }

    // MARK: - The new thread

    /// Runs on the new thread, from its beginning to its end.
    fileprivate func runThread(_ me: NativeThread) {
        me.enter()
        me.noteKernelNumber()
        _ = pthread_setname_np(pthread_self(), me.kernelName)
        me.record(.threadStart, 0, 0, .unknown)
        if let priority = me.priority { setPriority(priority, me, .unknown) }
        runBody(me)
        settleDiscarded(me)
        // Releases what the body holds while the thread is still part of the run.
        me.body = nil
        settleDiscarded(me)
        releaseLocks(of: me)
        // If slots have values, POSIX calls their destructors after this returns, and the last one calls `leave`.
        if me.slots.isEmpty { leave(me) }
    }

    /// Sets the priority, which is only a hint: raising it needs a privilege that the process may lack.
    private func setPriority(_ priority: Int, _ me: NativeThread, _ site: SourceSite) {
        // From the lowest priority, 0, to the highest, 31: a nice value from 19 to -20.
        clab_set_nice(19 - Int32(priority) * 39 / 31)
        me.priority = priority
        me.record(.threadPriority, 0, priority, site)
    }

    package var priority: Int {
        withKnownCaller { $0.priority ?? ThreadAttributes.defaultPriority } ?? ThreadAttributes.defaultPriority
    }

    package func setPriority(_ priority: Int, at site: SourceSite) {
        _ = withKnownCaller { setPriority(priority, $0, site) }
    }

    private func runBody(_ me: NativeThread) {
        guard !hasEnded, let body = me.body else { return }
        do {
            me.result = try body.run()
        } catch let exit as ThreadExit {
            me.result = exit.value
        } catch {
            conclude(error, me)
        }
    }

    /// Ends the calling thread for the run. It does not use the runtime afterwards.
    func leave(_ me: NativeThread) {
        ThreadSlots.drop(from: me)
        settleDiscarded(me)
        // Recorded after the destructors, so that a join of the thread comes after them.
        me.record(.threadExit, 0, me.result, .unknown)
        depart(me)
    }

    /// Removes the thread from the run. Releases the reference that `create` has retained.
    func depart(_ me: NativeThread) {
        me.isFinished.store(true, ordering: .releasing)
        ThreadContext.leave()
        me.hasLeft.store(true, ordering: .releasing)
        ending.alive.wrappingSubtract(1, ordering: .acquiringAndReleasing)
        sem_post(ending.change)
        Unmanaged.passUnretained(me).release()
    }

    // MARK: - Join and detach

    /// Joins a thread, which may be the main thread, until the deadline. Returns 1 if it was joined, 0 if the deadline
    /// passed.
    func join(_ target: RuntimeObject, until deadline: Int, _ me: NativeThread, _ site: SourceSite) throws -> Int {
        let thread = try joinable(target, me, site)
        var outcome = thread.tryJoin(mainExit: ending.mainExit)
        if outcome == .notYet {
            me.recordWait(.threadJoinWait, 0, Int(thread.index), until: deadline, site)
            _ = try block(until: deadline) { end in
                outcome = thread.join(until: end, mainExit: ending.mainExit)
                return outcome == .notYet ? ETIMEDOUT : 0
            }
        }
        return try finishJoin(thread, outcome, me, site)
    }

    func tryJoin(_ target: RuntimeObject, _ me: NativeThread, _ site: SourceSite) throws -> Int {
        let thread = try joinable(target, me, site)
        return try finishJoin(thread, thread.tryJoin(mainExit: ending.mainExit), me, site)
    }

    /// The thread to join. Joining the calling thread is a misuse.
    private func joinable(_ target: RuntimeObject, _ me: NativeThread, _ site: SourceSite) throws -> NativeThread {
        guard let thread = registry.thread(target.id) else { throw RunEnded() }
        if thread === me { throw misuse(.joinSelf, 0, me, site) }
        return thread
    }

    private func finishJoin(
        _ thread: NativeThread, _ outcome: NativeThread.JoinOutcome, _ me: NativeThread, _ site: SourceSite
    ) throws -> Int {
        switch outcome {
        case .notYet: return 0
        case .joined:
            try checkRunning()
            me.record(.threadJoin, 0, Int(thread.index), site)
            return 1
        case .refused(let kind): throw misuse(kind, 0, me, site)
        }
    }

    func detach(_ target: RuntimeObject, _ me: NativeThread, _ site: SourceSite) throws -> Int {
        guard let thread = registry.thread(target.id) else { throw RunEnded() }
        while true {
            let (done, found) = thread.joining.compareExchange(
                expected: .joinable, desired: .detached, ordering: .acquiringAndReleasing)
            if done { break }
            switch found {
            case .detached: throw misuse(.detachTwice, 0, me, site)
            case .joined: throw misuse(.detachJoined, 0, me, site)
            default:
                // Another thread is joining this one. Each of its attempts ends after `NativeTime.slice` at the latest.
                thread.isDetachWanted.store(true, ordering: .releasing)
                try checkRunning()
                usleep(200)
            }
        }
        me.record(.threadDetach, 0, Int(thread.index), site)
        if thread.index != 0 { check(pthread_detach(thread.handle), "pthread_detach") }
        return 1
    }
}

extension ThreadAttributes.Policy {
    fileprivate var number: Int32 {
        switch self {
        case .usual: SCHED_OTHER
        case .firstInFirstOut: SCHED_FIFO
        case .roundRobin: SCHED_RR
        }
    }

    /// A real-time priority from 1 to 99, in proportion to the priority from 0 to 31; 0 if the policy is not a
    /// real-time one.
    fileprivate func realTimePriority(_ priority: Int?) -> Int32 {
        switch self {
        case .usual: 0
        case .firstInFirstOut, .roundRobin: 1 + Int32(priority ?? 0) * 98 / 31
        }
    }
}

private func threadMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    // `depart` releases the reference that came with the argument.
    let thread = Unmanaged<NativeThread>.fromOpaque(argument)
    thread._withUnsafeGuaranteedRef { $0.native.runThread($0) }
    return nil
}
