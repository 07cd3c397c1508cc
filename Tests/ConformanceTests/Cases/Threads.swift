import Primitives

extension Case {
    static let threads: [Case] = [
        Case("T1", "a new thread runs its body once, while its creator continues") { _ in
            let runs = Atomic(nil, 0)
            let main = Thread.current
            let thread = try Thread { try expect(Thread.current != main && runs.add(1) == 0) }
            try expect(Thread.current == main)
            try thread.join()
            try expect(runs.load() == 1)
        },
        Case(
            "T2", "a thread that is created without attributes is joinable, and a leak if no thread joins it",
            endings: [.leak]
        ) { _ in
            _ = try Thread {}
        },
        Case("T3", "join waits for the end, and returns the body's value") { _ in
            let ended = Atomic(nil, false)
            let thread = try Thread.returning {
                try ended.store(true)
                return 42
            }
            try expect(thread.join() == 42)
            try expect(ended.load())
        },
        Case("T3-again", "after a join the thread is gone: a second one is refused") { _ in
            let thread = try Thread {}
            try thread.join()
            try expectMisuse("join-twice") { try thread.join() }
        },
        Case("T3-both", "of two threads that join a third, one gets its value and the other is refused") { _ in
            let third = try Thread.returning { 7 }
            let refusals = Plain(0)
            @Sendable func join() throws {
                do { try expect(third.join() == 7) } catch let misuse as Misuse {
                    try expect(misuse.identifier == "join-twice")
                    refusals.value += 1
                }
            }
            let second = try Thread { try join() }
            try join()
            try second.join()
            try expect(refusals.value == 1)
        },
        Case("T4", "leaving by exit, from any depth, is like returning the value; cleanup runs") { _ in
            let mutex = Mutex()
            @Sendable func deep() throws { try mutex.withLock { try Thread.exit(with: 42) } }
            let thread = try Thread.returning {
                try deep()
                return 0
            }
            try expect(thread.join() == 42)
            try expect(mutex.tryLock())
            try mutex.unlock()
        },
        Case(
            "T4-current",
            "a thread that obtains itself as the current thread can be joined by another, which gets its value"
        ) { _ in
            let found = Plain<Thread?>(nil)
            let gate = try Semaphore(value: 0)
            let thread = try Thread.returning {
                found.value = Thread.current
                try gate.signal()
                return 42
            }
            try gate.wait()
            try expect(found.value == thread)
            try expect(found.value!.join() == 42)
        },
        Case(
            "T5", "the main thread can be joined, and the process lives until the last thread has ended",
            sightings: ["42"]
        ) { sightings in
            let main = Thread.current
            try Thread.detach { try sightings.saw("\(main.join())") }
            try Thread.exit(with: 42)
        },
        Case(
            "T5-leak", "a joinable thread that was not joined is a leak even if the main thread has already left",
            endings: [.leak]
        ) { _ in
            _ = try Thread {}
            try Thread.exit()
        },
        Case("T6", "try-join of a running thread reports that it runs, and leaves it joinable") { _ in
            let gate = try Semaphore(value: 0)
            let thread = try Thread.returning {
                try gate.wait()
                return 7
            }
            try expect(thread.tryJoin() == nil)
            try gate.signal()
            try expect(thread.join() == 7)
        },
        Case(
            "T6-race", "try-join returns the value if the thread has ended, and only then",
            sightings: ["runs", "ended"]
        ) { sightings in
            let thread = try Thread.returning { 7 }
            if let value = try thread.tryJoin() {
                try expect(value == 7)
                sightings.saw("ended")
            } else {
                sightings.saw("runs")
                try expect(thread.join() == 7)
            }
        },
        Case("T7", "join until a deadline gives up then, not before, and leaves the thread joinable") { _ in
            let gate = try Semaphore(value: 0)
            let thread = try Thread.returning {
                try gate.wait()
                return 7
            }
            let deadline = Instant.now + .milliseconds(3)
            try expect(thread.join(until: deadline) == nil)
            try expect(Instant.now >= deadline)
            try gate.signal()
            try expect(thread.join(until: .distantFuture) == 7)
        },
        Case("T8", "a thread that joins itself is refused") { _ in
            try expectMisuse("join-self") { try Thread.current.join() }
            let thread = try Thread { try expectMisuse("join-self") { try Thread.current.join() } }
            try thread.join()
        },
        Case("T9", "threads that join each other wait forever", endings: [.deadlock]) { _ in
            let main = Thread.current
            let thread = try Thread { try main.join() }
            try thread.join()
        },
        Case("T10", "a detached thread cannot be joined") { _ in
            let thread = try Thread("detached", ThreadAttributes(isDetached: true)) {}
            try expectMisuse("join-detached") { try thread.join() }
            try expectMisuse("join-detached") { _ = try thread.tryJoin() }
        },
        Case("T11", "a detached thread cannot be detached again") { _ in
            let thread = try Thread {}
            try thread.detach()
            try expectMisuse("detach-twice") { try thread.detach() }
        },
        Case("T11-joined", "a joined thread cannot be detached") { _ in
            let thread = try Thread {}
            try thread.join()
            try expectMisuse("detach-joined") { try thread.detach() }
        },
        Case("T12", "a running thread that is detached continues to run") { _ in
            let go = try Semaphore(value: 0)
            let done = try Semaphore(value: 0)
            let thread = try Thread {
                try go.wait()
                try done.signal()
            }
            try thread.detach()
            try go.signal()
            try done.wait()
        },
        Case("T13", "a thread that has already ended can be detached, and is then not a leak") { _ in
            let ended = try Semaphore(value: 0)
            let thread = try Thread { try ended.signal() }
            try ended.wait()
            try thread.detach()
        },
        Case(
            "T14", "when the main thread returns, detached threads are cut off: they run no further"
        ) { sightings in
            let started = try Semaphore(value: 0)
            let never = try Semaphore(value: 0)
            let slot = try ThreadSlot<Plain<Int>> { _ in sightings.saw("destructor") }
            try Thread.detach {
                slot.value = Plain(1)
                try started.signal()
                try never.wait()
                sightings.saw("continued")
            }
            try started.wait()
        },
        Case("T14-any", "any thread can end the process: the main thread is cut off too") { sightings in
            let never = try Semaphore(value: 0)
            try Thread.detach {
                try Thread.exitProcess()
            }
            try never.wait()
            sightings.saw("continued")
        },
        Case("T14-joinable", "a joinable thread is cut off too, and is a leak", endings: [.leak]) { sightings in
            let never = try Semaphore(value: 0)
            _ = try Thread {
                try never.wait()
                sightings.saw("continued")
            }
        },
        Case(
            "T15", "a thread that ends while it holds a lock leaves it held; no thread can free it",
            endings: [.misuse("destroy-held")]
        ) { _ in
            let mutex = Mutex()
            let thread = try Thread { try mutex.lock() }
            try thread.join()
            try expect(!mutex.tryLock())
        },
        Case("T17", "a stack below the system's minimum is refused, and no thread is created") { _ in
            do {
                _ = try Thread("small", ThreadAttributes(stackSize: ThreadAttributes.minimumStackSize - 4096)) {}
                try expect(false, "it is refused")
            } catch let refusal as ThreadCreationFailed {
                try expect(refusal.code == 22)
            }
            let thread = try Thread("least", ThreadAttributes(stackSize: ThreadAttributes.minimumStackSize * 4)) {}
            try thread.join()
        },
        Case("T-limit", "above the limit no thread can be created, until one is joined") { _ in
            try Thread.setLimit(3)
            let threads = try (1...2).map { _ in try Thread {} }
            try expectNoThread { _ = try Thread {} }
            try threads[0].join()
            let third = try Thread {}
            try expectNoThread { try ThreadObject {}.start() }
            try third.join()
            try threads[1].join()
        },
        Case(
            "T-limit-detached", "a detached thread counts until it has ended", sightings: ["created", "refused"]
        ) { sightings in
            try Thread.setLimit(2)
            try Thread.detach {}
            do {
                try Thread {}.join()
                sightings.saw("created")
            } catch is ThreadCreationFailed { sightings.saw("refused") }
        },
        Case("T-limit-value", "a limit is from 1 to 1,024, and set before there are threads") { _ in
            for count in [0, -1, 1025] { try expectMisuse("invalid-value") { try Thread.setLimit(count) } }
            let thread = try Thread {}
            try expectMisuse("invalid-value") { try Thread.setLimit(5) }
            try thread.join()
        },
        Case("T18", "the current thread is the same object each time") { _ in
            try expect(Thread.current == Thread.current)
            let thread = try Thread { try expect(Thread.current == Thread.current) }
            try thread.join()
        },
        Case("T19", "only the main thread is reported as the main thread") { _ in
            let main = Thread.current
            try expect(main.isMain)
            let thread = try Thread { try expect(!Thread.current.isMain && main.isMain && Thread.current != main) }
            try expect(!thread.isMain)
            try thread.join()
        },
        Case("T22", "every thread has a unique name, even if the same one is requested twice") { _ in
            let name = "a name of more than fifteen bytes"
            let first = try Thread(name) {}
            let second = try Thread(name) {}
            try expect(first.name != second.name && first.name != Thread.current.name && first.name == first.name)
            try first.join()
            try second.join()
        },
        Case("T-error", "an error that leaves a thread's body ends the run", endings: [.error]) { _ in
            let thread = try Thread { throw Failure() }
            try thread.join()
        },
        Case("T-misuse", "a misuse whose error is not caught ends the run", endings: [.misuse("detach-twice")]) { _ in
            let thread = try Thread {}
            try thread.detach()
            try thread.detach()
        },
        Case("T-sleep", "a sleep ends at its deadline, not before; with a deadline that has passed it returns at once")
        { _ in
            let begin = Instant.now
            try Thread.sleep(for: .milliseconds(2))
            try expect(Instant.now >= begin + .milliseconds(2))
            try Thread.sleep(until: begin)
            try Thread.sleep(until: .distantPast)
        },
    ]
}
