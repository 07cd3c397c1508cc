import CLab
import CPthread
import Glibc
import Synchronization
import Trace

/// How a native run begins and ends.
extension NativeRuntime {
    /// Makes the calling thread the main thread of the run, and runs the body on it. When the body returns, the run
    /// ends as `exit` ends a process: threads that still run are cut off. If the body is left by a `ThreadExit`, the
    /// run continues until the other threads have ended.
    ///
    /// Returns when every thread has left, or when the time for that (`Options.grace`) is over.
    package func run(_ body: () throws -> Void) {
        let before = ThreadContext.current
        precondition(before.map(\.isAmbient) ?? true, "a run inside a run")
        guard let main = try? registry.addThread(named: "main", make: { makeThread($0, $1) }), main.index == 0 else {
            preconditionFailure("a native runtime is for one run")
        }
        main.enter()
        main.noteKernelNumber()
        runMain(main, body)
        settle(main)
        ThreadContext.leave(to: before)
        recorder.calibrate()
    }

    /// Makes the data of a new thread.
    func makeThread(_ index: Int, _ name: String) -> NativeThread {
        if options.isAmbient { return NativeThread(runtime: self, index: index, lane: recorder.surplusLane) }
        recorder.declareThread(UInt16(index), name: name)
        return NativeThread(runtime: self, index: index, lane: recorder.makeLane())
    }

    // MARK: - The main thread

    private func runMain(_ main: NativeThread, _ body: () throws -> Void) {
        do {
            try body()
            settleDiscarded(main)
            mainIsOver(main)
            exitProcess(main, .unknown)
        } catch let exit as ThreadExit {
            main.result = exit.value
            settleDiscarded(main)
            main.slots.runDestructors(main)
            main.record(.threadExit, 0, exit.value, .unknown)
            mainIsOver(main)
            waitForOthers(main)
        } catch {
            conclude(error, main)
            mainIsOver(main)
        }
    }

    /// Ends the run for a main thread whose code cannot be unwound.
    func endMain(_ main: NativeThread) {
        mainIsOver(main)
        settle(main)
        ThreadContext.leave()
        recorder.calibrate()
        leaveProcess()
        options.whenAbandoned?()
    }

    /// Notes that the main thread's body is over, and lets a thread that joins it continue.
    private func mainIsOver(_ main: NativeThread) {
        main.isFinished.store(true, ordering: .releasing)
        ending.isMainOver.store(true, ordering: .releasing)
        checkErrno(sem_post(ending.mainExit), "sem_post")
    }

    /// Waits until the last other thread has ended: the main thread has exited, and the process continues (POSIX
    /// `pthread_exit`).
    private func waitForOthers(_ main: NativeThread) {
        while ending.alive.load(ordering: .acquiring) > 0 && !hasEnded { sem_wait(ending.change) }
        guard ending.decide() else { return }
        main.record(.runComplete, 0, 0, .unknown)
        leaveProcess()
        end()
    }

    /// Handles an error that leaves a thread's body.
    func conclude(_ error: any Error, _ me: NativeThread) {
        // Unwinding released the object, so the error is the finding, and not the release.
        me.discarded = 0
        if error is RunEnded { return }
        let end = ErrorEnding(error)
        if options.isAmbient { failOutsideRun("an error left the body of a thread: \(end.text)") }
        guard ending.decide() else { return }
        if let event = end.event { record(event, 0, text: end.text, at: end.site) }
        fail()
    }

    /// Ends the process as POSIX `exit` does: all other threads are cut off where they are.
    func exitProcess(_ me: NativeThread, _ site: SourceSite) {
        if options.isAmbient { exit(0) }
        guard ending.decide() else { return }
        me.record(.runExit, 0, 0, site)
        for thread in registry.allThreads where thread !== me && !thread.isFinished.load(ordering: .acquiring) {
            me.lane.append(.threadCutOff, thread: thread.index, site: .unknown)
        }
        me.record(.runComplete, 0, 0, .unknown)
        leaveProcess()
        end()
    }

    package func exitProcess(at site: SourceSite) throws -> Never {
        exitProcess(caller, site)
        throw RunEnded()
    }

    /// Ends the process, if it was forked for this run.
    fileprivate func leaveProcess() {
        guard let exit = options.exit else { return }
        recorder.calibrate()
        exit()
    }

    // MARK: - The end

    /// Ends the run because something went wrong.
    func fail() {
        ending.hasFailed.store(true, ordering: .releasing)
        end()
    }

    /// Ends the run as a failure. Any thread of this process may call this. A process that watches the run from outside
    /// does not use it: it kills the run's process.
    ///
    /// - Returns: false if the end of the run was already decided.
    @discardableResult
    package func requestEnd(_ kind: EventKind, _ value: Int = 0) -> Bool {
        guard ending.decide() else { return false }
        recordOutside(kind, 0, Int64(value))
        fail()
        return true
    }

    /// Ends the run. From now on, blocking calls throw, and blocked threads are woken so that they notice it.
    func end() {
        if signs.set(.ended) { return }
        _ = ending.decide()
        checkErrno(sem_post(ending.change), "sem_post")
        if !ending.isMainOver.load(ordering: .acquiring) { startHelper() }
        ending.isAnnounced.store(true, ordering: .releasing)
    }

    /// Starts the helper, a thread that wakes blocked threads repeatedly: one of them may be the main thread, which is
    /// still in its body.
    private func startHelper() {
        let runtime = Unmanaged.passRetained(self)
        let code = clab_create_undisturbed_thread(&ending.helper, wakeUntilSettled, runtime.toOpaque())
        if code == 0 {
            ending.hasHelper.store(true, ordering: .releasing)
        } else {
            // If no thread can be created, this thread wakes the others for a tenth of a second.
            runtime.release()
            for _ in 0..<100 {
                wakeAll()
                usleep(1000)
            }
        }
    }

    /// Wakes the threads that are blocked on a condition or a semaphore. A thread that is just about to block is woken
    /// by a later call.
    func wakeAll() {
        registry.forEachObject { storage in
            switch storage.kind {
            case .condition: pthread_cond_broadcast(storage.condition)
            case .semaphore:
                if storage.object.pointee.users.load(ordering: .relaxed) > 0 {
                    sem_post(storage.semaphore)
                }
            // The owners of locks release them when they leave, and no thread blocks on the other objects.
            case .normalMutex, .errorCheckingMutex, .recursiveMutex, .readersFirstLock, .writersFirstLock, .atomic,
                .cell,
                .file, .counted, .seat, .other:
                break
            }
        }
    }

    /// Waits until every thread that can leave has left, but no longer than `Options.grace`. Then cleans up.
    private func settle(_ main: NativeThread) {
        if ending.decide() { end() }
        // If another thread has decided the end, it must first have recorded that and started the helper, which is
        // joined below.
        while !ending.isAnnounced.load(ordering: .acquiring) { sched_yield() }
        releaseLocks(of: main)
        main.hasLeft.store(true, ordering: .releasing)
        ThreadSlots.drop(from: main)
        var clock = OwnClock()
        var pause: UInt32 = 20
        while ending.alive.load(ordering: .acquiring) > cutOffCount && clock.time < options.grace {
            wakeAll()
            usleep(pause)
            pause = min(pause * 2, 5000)
            clock.read(registry.kernelNumbersOfOthers)
        }
        ending.isSettled.store(true, ordering: .releasing)
        if ending.hasHelper.load(ordering: .acquiring) { check(pthread_join(ending.helper, nil), "pthread_join") }
        reap()
    }

    /// The number of threads that can never leave. Such a thread must reacquire a mutex at the end of its wait on a
    /// condition, and the mutex is held by a thread that has already left. In POSIX, no other thread may unlock it.
    private var cutOffCount: Int { registry.allThreads.indices.dropFirst().count { isCutOff($0) } }

    /// Whether the thread with this index can never leave, for the reason given at `cutOffCount`.
    fileprivate func isCutOff(_ index: Int) -> Bool {
        let threads = registry.allThreads
        guard !threads[index].hasLeft.load(ordering: .acquiring) else { return false }
        // The `owner` of a mutex is the index of the thread plus one, or 0.
        let holder = Int(registry.owner(ofObject: threads[index].waitMutex.load(ordering: .acquiring))) - 1
        return threads.indices.contains(holder) && threads[holder].hasLeft.load(ordering: .acquiring)
    }

    /// Joins the threads that no thread has joined, and detaches those that have not left.
    private func reap() {
        var haveAllLeft = true
        for thread in registry.allThreads.dropFirst() {
            let hasLeft = thread.hasLeft.load(ordering: .acquiring)
            if !hasLeft { haveAllLeft = false }
            guard thread.joining.load(ordering: .acquiring) == .joinable else { continue }
            if hasLeft {
                check(pthread_join(thread.handle, nil), "pthread_join")
            } else {
                check(pthread_detach(thread.handle), "pthread_detach")
            }
        }
        if haveAllLeft { registry.forgetThreads() }
    }

    /// Releases the locks that a thread still holds when it leaves after the end of the run, so that other threads can
    /// leave too.
    func releaseLocks(of me: NativeThread) {
        guard hasEnded else { return }
        registry.forEachObject { storage in
            let object = storage.object
            let isMine = object.pointee.owner.load(ordering: .relaxed) == me.asOwner
            switch storage.kind {
            case .normalMutex, .errorCheckingMutex, .recursiveMutex:
                guard isMine else { return }
                let depth = storage.books.pointee.depth
                storage.books.pointee.depth = 0
                object.pointee.owner.store(0, ordering: .relaxed)
                // A recursive mutex is unlocked as often as it was locked.
                for _ in 0..<depth { pthread_mutex_unlock(storage.mutex) }
            case .readersFirstLock, .writersFirstLock:
                if isMine { object.pointee.owner.store(0, ordering: .relaxed) }
                var holds = isMine ? 1 : 0
                while me.removeReadHold(storage.id) { holds += 1 }
                for _ in 0..<holds { pthread_rwlock_unlock(storage.lock) }
            // No thread owns these.
            case .condition, .semaphore, .atomic, .cell, .file, .counted, .seat, .other: break
            }
        }
    }
}

/// The body of the helper.
private func wakeUntilSettled(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let runtime = Unmanaged<NativeRuntime>.fromOpaque(argument).takeRetainedValue()
    var pause: UInt32 = 20
    while !runtime.ending.isSettled.load(ordering: .acquiring) {
        runtime.wakeAll()
        // The main thread would end the process, but it can never leave its wait.
        if runtime.isCutOff(0) { runtime.leaveProcess() }
        usleep(pause)
        pause = min(pause * 2, 5000)
    }
    return nil
}
