import Primitives

extension Case {
    static let cancellation: [Case] = [
        Case(
            "C1", "a thread sees a request to end when it next tests for it; the request interrupts nothing",
            search: .some
        ) { _ in
            let isCancelled = Atomic(nil, false)
            let thread = try Thread.returning {
                var looks = 1
                while try !isCancelled.load() {
                    looks += 1
                    try Thread.yield()
                }
                return looks
            }
            try isCancelled.store(true)
            try expect(thread.join() > 0)
        },
        Case("C3", "an exit flag in the thread's own dictionary ends its loop; no other thread's dictionary has it") {
            _ in
            let loop = Plain<RunLoop?>(nil)
            let ready = try Semaphore(value: 0)
            let cancel = InputSource("cancel") { ThreadDictionary.current.set("exit", true) }
            let thread = try Thread {
                ThreadDictionary.current.set("exit", false)
                try RunLoop.current.add(cancel)
                loop.value = .current
                try ready.signal()
                while ThreadDictionary.current.value("exit") == false { try RunLoop.current.run() }
            }
            try ready.wait()
            try cancel.signal()
            try loop.value!.wakeUp()
            try thread.join()
            try expect(ThreadDictionary.current.value("exit", as: Bool.self) == nil)
        },
        Case(
            "C4", "a kill takes effect before the thread's next operation, and not earlier",
            sightings: ["ended", "was faster"]
        ) { sightings in
            let started = try Semaphore(value: 0)
            let computed = Plain(false)
            let passed = Plain(false)
            let thread = try Thread("t", ThreadAttributes(canBeKilled: true)) {
                try started.signal()
                computed.value = true
                try Thread.yield()
                passed.value = true
            }
            try started.wait()
            try thread.kill()
            try thread.join()
            sightings.saw(passed.value ? "was faster" : "ended")
            try expect(computed.value)
        },
        Case("C5", "a request that comes while a thread does not look stays, and is seen when it looks") { _ in
            let working = try Semaphore(value: 0)
            let asked = try Semaphore(value: 0)
            let thread = ThreadObject<Bool>("t") { me in
                try working.signal()
                try asked.wait()
                return try me.isCancelled()
            }
            try thread.start()
            try working.wait()
            try thread.cancel()
            try asked.signal()
            try expect(thread.join())
        },
        Case(
            "C10", "a request to a thread that has ended, and a kill, change nothing: join gives its value",
            search: .some
        ) { _ in
            let ended = try Semaphore(value: 0)
            let object = ThreadObject<Int>("a") { _ in 7 }
            try object.start()
            let thread = try Thread.returning("b", ThreadAttributes(canBeKilled: true)) {
                try ended.signal()
                return 8
            }
            try ended.wait()
            try thread.kill()
            try expect(thread.join() == 8)
            while try object.state() != .finished { try Thread.yield() }
            try object.cancel()
            try expect(object.join() == 7)
        },
        Case("C6", "cleanup runs in reverse order, each once, then the slots' destructors, then the thread ends") { _ in
            let order = Plain<[Int]>([])
            let slot = try ThreadSlot<Plain<Int>> { _ in order.value.append(3) }
            @Sendable func body() throws {
                slot.value = Plain(0)
                defer { order.value.append(2) }
                defer { order.value.append(1) }
                try Thread.exit()
            }
            let thread = try Thread { try body() }
            try thread.join()
            try expect(order.value == [1, 2, 3], "\(order.value)")
        },
        Case(
            "C6-error", "an error runs every cleanup as it unwinds, with the locks still held",
            endings: [.error]
        ) { sightings in
            let mutex = Mutex(nil, .errorChecking)
            let thread = try Thread {
                try mutex.lock()
                defer {
                    // It ends the run, so nothing here may fail the case: only what it must not see is recorded.
                    do { try mutex.unlock() } catch { sightings.saw("\(error)") }
                }
                throw Failure()
            }
            try thread.join()
        },
        Case(
            "C-kill", "a killed thread runs no cleanup, and what it holds stays held", sightings: ["held", "free"]
        ) { sightings in
            let mutex = Mutex("m")
            let cleaned = Plain(false)
            let started = try Semaphore(value: 0)
            let thread = try Thread("t", ThreadAttributes(canBeKilled: true)) {
                defer { cleaned.value = true }
                try mutex.lock()
                try started.signal()
                try Thread.yield()
                try mutex.unlock()
            }
            try started.wait()
            try thread.kill()
            try expect(thread.join() == 0)
            // It may have been faster.
            if try mutex.tryLock() {
                sightings.saw("free")
                try mutex.unlock()
            } else {
                sightings.saw("held")
                try expect(!cleaned.value)
            }
        },
        Case(
            "C-kill-waits", "a thread that waits for what a killed thread holds waits forever", endings: [.deadlock]
        ) { _ in
            let mutex = Mutex("m")
            try killHolder(of: mutex).join()
            try mutex.lock()
        },
        Case(
            "C-kill-robust", "a robust lock tells its next owner that the last one was killed"
        ) { _ in
            let mutex = Mutex("m", .robust)
            let thread = try killHolder(of: mutex)
            try mutex.lock()
            try expect(mutex.ownerDied)
            mutex.makeConsistent()
            try mutex.unlock()
            try thread.join()
        },
        Case(
            "C-kill-blocked", "a thread that is killed while it is blocked ends when it is woken"
        ) { _ in
            let gate = try Semaphore("gate", value: 0)
            let passed = Plain(false)
            let thread = try Thread("t", ThreadAttributes(canBeKilled: true)) {
                try gate.wait()
                try Thread.yield()
                passed.value = true
            }
            try thread.kill()
            try gate.signal()
            try thread.join()
            try expect(!passed.value)
        },
        Case("C-kill-refused", "a thread that cannot be killed is not", endings: [.misuse("invalid-value")]) { _ in
            let thread = try Thread { try Thread.yield() }
            try thread.kill()
        },
    ]

    /// Kills a thread while it holds the mutex and waits.
    private static func killHolder(of mutex: Mutex) throws -> Thread {
        let holds = try Semaphore("holds", value: 0)
        let gate = try Semaphore("gate", value: 0)
        let thread = try Thread("t", ThreadAttributes(canBeKilled: true)) {
            try mutex.lock()
            try holds.signal()
            try gate.wait()
            try mutex.unlock()
        }
        try holds.wait()
        try thread.kill()
        try gate.signal()
        return thread
    }
}
