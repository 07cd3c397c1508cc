import CLab
import CPthread
import Glibc
import Synchronization
import Trace

/// A native run, from its beginning to its end.
extension NativeRuntime {
    /// Makes the calling thread the main thread of the run and runs the body on it. When the body returns, the run ends
    /// as `exit` ends a process: threads that still run are cut off. If a thread exit leaves the body, the run
    /// continues until the other threads are done.
    ///
    /// Returns when every thread has left, or the time to leave is over.
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

    /// Ends the run for a main thread that cannot return from its body.
    func endMain(_ main: NativeThread) {
        mainIsOver(main)
        settle(main)
        ThreadContext.leave()
        recorder.calibrate()
        leaveProcess()
        options.whenAbandoned?()
    }

    private func mainIsOver(_ main: NativeThread) {
        main.isFinished.store(true, ordering: .releasing)
        ending.isMainOver.store(true, ordering: .releasing)
        checkErrno(sem_post(ending.mainExit), "sem_post")
    }

    /// The main thread has exited, and the process continues until the last thread ends (POSIX `pthread_exit`).
    private func waitForOthers(_ main: NativeThread) {
        while ending.alive.load(ordering: .acquiring) > 0 && !hasEnded { sem_wait(ending.change) }
        guard ending.decide() else { return }
        main.record(.runComplete, 0, 0, .unknown)
        leaveProcess()
        end()
    }

    /// Handles an error that leaves a thread's body.
    func conclude(_ error: any Error, _ me: NativeThread) {
        // Unwinding released the object, so the error is the finding, not the release.
        me.discarded = 0
        if error is RunEnded { return }
        let end = ErrorEnding(error)
        if options.isAmbient { failOutsideRun("an error left the body of a thread: \(end.text)") }
        guard ending.decide() else { return }
        if let event = end.event { record(event, 0, text: end.text, at: end.site) }
        fail()
    }

    /// Ends the process as POSIX `exit` does: the other threads are cut off where they are.
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

    fileprivate func leaveProcess() {
        guard let exit = options.exit else { return }
        recorder.calibrate()
        exit()
    }

    // MARK: - The end

    func fail() {
        ending.hasFailed.store(true, ordering: .releasing)
        end()
    }

    /// Ends the run as a failure, from any thread. A watching process does the same by killing the run's process.
    ///
    /// - Returns: false if the run had ended already, or its end was decided.
    @discardableResult
    package func requestEnd(_ kind: EventKind, _ value: Int = 0) -> Bool {
        guard ending.decide() else { return false }
        recordOutside(kind, 0, Int64(value))
        fail()
        return true
    }

    /// From now on, blocking calls throw, and blocked threads are woken so that they notice.
    func end() {
        if signs.set(.ended) { return }
        _ = ending.decide()
        checkErrno(sem_post(ending.change), "sem_post")
        if !ending.isMainOver.load(ordering: .acquiring) { startHelper() }
        ending.isTold.store(true, ordering: .releasing)
    }

    /// Starts a thread that wakes the others: the main thread is in its body, and may be blocked.
    private func startHelper() {
        let runtime = Unmanaged.passRetained(self)
        let code = clab_create_undisturbed_thread(&ending.helper, wakeUntilSettled, runtime.toOpaque())
        if code == 0 {
            ending.hasHelper.store(true, ordering: .releasing)
        } else {
            // No thread can be created, so this thread wakes the others for a while.
            runtime.release()
            for _ in 0..<100 {
                wakeAll()
                usleep(1000)
            }
        }
    }

    /// Wakes threads that are blocked on a condition or a semaphore. A thread that is just about to block is woken the
    /// next time.
    func wakeAll() {
        registry.forEachObject { storage in
            switch storage.kind {
            case .condition: pthread_cond_broadcast(storage.condition)
            case .semaphore:
                if storage.object.pointee.users.load(ordering: .relaxed) > 0 {
                    sem_post(storage.semaphore)
                }
            // Their owners release them when they end; or no thread blocks there.
            case .normalMutex, .errorCheckingMutex, .recursiveMutex, .readersFirstLock, .writersFirstLock, .atomic,
                .cell,
                .file, .counted, .seat, .other:
                break
            }
        }
    }

    /// Waits, for a limited time, until every thread that can leave has left. Then cleans up.
    private func settle(_ main: NativeThread) {
        if ending.decide() { end() }
        // Another thread may have decided the end. It still has to record that and to start the helper, which must not
        // be left behind.
        while !ending.isTold.load(ordering: .acquiring) { sched_yield() }
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

    /// The number of threads that cannot leave: each must reacquire a mutex at the end of its wait on a condition, and
    /// the mutex is held by a thread that has ended. In POSIX, another thread must not unlock it.
    private var cutOffCount: Int { registry.allThreads.indices.dropFirst().count { isCutOff($0) } }

    fileprivate func isCutOff(_ index: Int) -> Bool {
        let threads = registry.allThreads
        guard !threads[index].hasLeft.load(ordering: .acquiring) else { return false }
        let owner = Int(registry.owner(ofObject: threads[index].waitMutex.load(ordering: .acquiring))) - 1
        return threads.indices.contains(owner) && threads[owner].hasLeft.load(ordering: .acquiring)
    }

    /// Joins the threads that no thread has joined, so that none of them is left.
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

    /// Releases what a thread still holds when it leaves after the end of the run, so that other threads can leave too.
    func releaseLocks(of me: NativeThread) {
        guard hasEnded else { return }
        registry.forEachObject { storage in
            let object = storage.object
            let isMine = object.pointee.owner.load(ordering: .relaxed) == me.mark
            switch storage.kind {
            case .normalMutex, .errorCheckingMutex, .recursiveMutex:
                guard isMine else { return }
                let depth = storage.books.pointee.depth
                storage.books.pointee.depth = 0
                object.pointee.owner.store(0, ordering: .relaxed)
                for _ in 0..<depth { pthread_mutex_unlock(storage.mutex) }
            case .readersFirstLock, .writersFirstLock:
                if isMine { object.pointee.owner.store(0, ordering: .relaxed) }
                var holds = isMine ? 1 : 0
                while me.removeReadHold(storage.id) { holds += 1 }
                for _ in 0..<holds { pthread_rwlock_unlock(storage.lock) }
            // No thread owns them.
            case .condition, .semaphore, .atomic, .cell, .file, .counted, .seat, .other: break
            }
        }
    }
}

/// The helper thread's body.
private func wakeUntilSettled(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let runtime = Unmanaged<NativeRuntime>.fromOpaque(argument).takeRetainedValue()
    var pause: UInt32 = 20
    while !runtime.ending.isSettled.load(ordering: .acquiring) {
        runtime.wakeAll()
        if runtime.isCutOff(0) { runtime.leaveProcess() }
        usleep(pause)
        pause = min(pause * 2, 5000)
    }
    return nil
}
