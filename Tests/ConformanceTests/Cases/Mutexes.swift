import Primitives

extension Case {
    static let mutexes: [Case] = [
        Case("M1", "a lock that was taken and freed is free") { _ in
            let mutex = Mutex()
            try mutex.lock()
            try mutex.unlock()
            try expect(mutex.tryLock())
            try mutex.unlock()
        },
        Case("M2", "increments under a lock all count") { _ in
            let mutex = Mutex()
            let count = Shared(nil, 0)
            let threads = try (0..<2).map { _ in
                try Thread { for _ in 0..<2 { try mutex.withLock { try count.update { $0 + 1 } } } }
            }
            for thread in threads { try thread.join() }
            try expect(count.read() == 4)
        },
        Case("M3", "a lock that another thread holds is waited for, and owned on return") { _ in
            let mutex = Mutex(nil, .errorChecking)
            let wasFreed = Atomic(nil, false)
            try mutex.lock()
            let thread = try Thread {
                try mutex.lock()
                try expect(wasFreed.load())
                try mutex.unlock()
            }
            try wasFreed.store(true)
            try mutex.unlock()
            try thread.join()
        },
        Case("M4", "try-lock of a held lock is refused at once, to its owner too, and changes nothing") { _ in
            let mutex = Mutex()
            try mutex.lock()
            let thread = try Thread { try expect(!mutex.tryLock()) }
            try thread.join()
            try expect(!mutex.tryLock())
            try mutex.unlock()
            try expect(mutex.tryLock())
            try mutex.unlock()
        },
        Case("M4-errorcheck", "try-lock of a held error-checking lock is refused to its owner, which is not a misuse") {
            _ in
            let mutex = Mutex(nil, .errorChecking)
            try mutex.lock()
            try expect(!mutex.tryLock())
            try mutex.unlock()
        },
        Case("M5", "the owner of a plain lock that locks it again waits for itself", endings: [.deadlock]) { _ in
            let mutex = Mutex()
            try mutex.lock()
            try mutex.lock()
        },
        Case("M5-timed", "the owner of a plain lock that locks it again until a deadline gives up then") { _ in
            let mutex = Mutex()
            try mutex.lock()
            let deadline = Instant.now + .milliseconds(2)
            try expect(!mutex.lock(until: deadline))
            try expect(Instant.now >= deadline)
            try mutex.unlock()
        },
        Case("M6", "the owner of an error-checking lock that locks it again is refused, and holds it once") { _ in
            let mutex = Mutex(nil, .errorChecking)
            try mutex.lock()
            try expectMisuse("relock") { try mutex.lock() }
            try expectMisuse("relock") { _ = try mutex.lock(until: .distantFuture) }
            try mutex.unlock()
            try expect(mutex.tryLock())
            try mutex.unlock()
        },
        Case("M7", "an error-checking lock is not unlocked by another thread") { _ in
            let mutex = Mutex(nil, .errorChecking)
            try mutex.lock()
            let thread = try Thread {
                try expectMisuse("unlock-not-owner") { try mutex.unlock() }
                try expect(!mutex.tryLock())
            }
            try thread.join()
            try mutex.unlock()
        },
        Case("M8", "a free error-checking lock is not unlocked") { _ in
            let mutex = Mutex(nil, .errorChecking)
            try expectMisuse("unlock-not-owner") { try mutex.unlock() }
            try expect(mutex.tryLock())
            try mutex.unlock()
        },
        Case("M9", "a plain lock that another thread unlocks stays held, and it is a misuse") { _ in
            let mutex = Mutex()
            try mutex.lock()
            let thread = try Thread {
                try expectMisuse("unlock-not-owner") { try mutex.unlock() }
                try expect(!mutex.tryLock())
            }
            try thread.join()
            try mutex.unlock()
        },
        Case("M10", "a free plain lock that is unlocked stays free, and it is a misuse") { _ in
            let mutex = Mutex()
            try expectMisuse("unlock-not-owner") { try mutex.unlock() }
            try expect(mutex.tryLock())
            try mutex.unlock()
        },
        Case("M11", "a held lock is not destroyed; a free one is") { _ in
            let mutex = Mutex()
            try mutex.lock()
            try expectMisuse("destroy-held") { try mutex.destroy() }
            try mutex.unlock()
            try mutex.destroy()
        },
        Case(
            "M11-forgotten", "a held lock that no thread can reach any more is a misuse",
            endings: [.misuse("destroy-held")]
        ) { _ in
            func forget() throws { try Mutex("forgotten").lock() }
            try forget()
            try Thread.yield()
        },
        Case("M11-error", "an error that unwinds past a held lock is the finding, not the lock", endings: [.error]) {
            _ in
            try Mutex("forgotten").lock()
            throw Failure()
        },
        Case("M12", "a lock that stays held until the deadline is not taken, and not given up before") { _ in
            let mutex = Mutex()
            try mutex.lock()
            let thread = try Thread {
                let deadline = Instant.now + .milliseconds(2)
                try expect(!mutex.lock(until: deadline))
                try expect(Instant.now >= deadline)
            }
            try thread.join()
            try mutex.unlock()
        },
        Case("M13", "a held lock is refused at once when the deadline has passed") { _ in
            let mutex = Mutex()
            try mutex.lock()
            let thread = try Thread {
                try expect(!mutex.lock(until: .now))
                try expect(!mutex.lock(until: .distantPast))
            }
            try thread.join()
            try mutex.unlock()
        },
        Case("M14", "a free lock is taken whatever the deadline") { _ in
            let mutex = Mutex()
            try expect(mutex.lock(until: .distantPast))
            try mutex.unlock()
            try expect(mutex.lock(until: .now))
            try mutex.unlock()
        },
        Case("M15", "waits that are too short fail, and one that is long enough succeeds") { _ in
            let mutex = Mutex()
            let held = try Semaphore(value: 0)
            let enough = try Semaphore(value: 0)
            let holder = try Thread {
                try mutex.withLock {
                    try held.signal()
                    try enough.wait()
                }
            }
            try held.wait()
            for milliseconds in [0, -1, 1, 2] {
                try expect(!mutex.lock(until: .now + .milliseconds(milliseconds)))
            }
            try enough.signal()
            try expect(mutex.lock(until: .now + .seconds(3600)))
            try mutex.unlock()
            try holder.join()
        },
        Case("M15-race", "a lock that is freed before the deadline is acquired in time", sightings: ["taken"]) {
            sightings in
            let mutex = Mutex()
            try mutex.lock()
            let thread = try Thread {
                if try mutex.lock(until: .now + .seconds(3600)) {
                    sightings.saw("taken")
                    try mutex.unlock()
                }
            }
            try mutex.unlock()
            try thread.join()
        },
        Case("M18", "many threads with many small sections all finish", search: .some) { _ in
            let mutex = Mutex()
            let threads = try (0..<8).map { _ in
                try Thread {
                    for _ in 0..<10 {
                        try mutex.withLock {}
                        try Thread.yield()
                    }
                }
            }
            for thread in threads { try thread.join() }
        },
        Case(
            "M19", "any of the threads that wait may get the lock next, and each gets it in the end",
            sightings: ["first 0", "first 1", "first 2"]
        ) { sightings in
            let mutex = Mutex()
            let order = Plain<[Int]>([])
            try mutex.lock()
            let threads = try (0..<3).map { number in
                try Thread { try mutex.withLock { order.value.append(number) } }
            }
            try mutex.unlock()
            for thread in threads { try thread.join() }
            try expect(order.value.sorted() == [0, 1, 2])
            sightings.saw("first \(order.value[0])")
        },
        Case(
            "M20", "the next thread gets a robust lock whose owner has ended, and is notified",
            sightings: ["died", "sound"]
        ) { sightings in
            let mutex = Mutex("m", .robust)
            let isInherited = Shared(nil, false)
            let heir = try Thread {
                try mutex.lock()
                sightings.saw(mutex.ownerDied ? "died" : "sound")
                try isInherited.write(mutex.ownerDied)
                mutex.makeConsistent()
                try mutex.unlock()
            }
            let owner = try Thread { try mutex.lock() }
            try owner.join()
            try heir.join()
            // Whichever was last, one of the two wrote this value.
            try mutex.lock()
            try expect(mutex.ownerDied == !isInherited.read())
            mutex.makeConsistent()
            try mutex.unlock()
        },
        Case("M20-held", "a thread that waits for a robust lock gets it when the owner ends") { _ in
            let mutex = Mutex("m", .robust)
            let isHeld = try Semaphore("held", value: 0)
            let mayEnd = try Semaphore("may end", value: 0)
            let owner = try Thread {
                try mutex.lock()
                try isHeld.signal()
                try mayEnd.wait()
            }
            try isHeld.wait()
            try expect(!mutex.tryLock())
            try mayEnd.signal()
            try mutex.lock()
            try expect(mutex.ownerDied)
            mutex.makeConsistent()
            try mutex.unlock()
            try mutex.lock()
            try expect(!mutex.ownerDied)
            try mutex.unlock()
            try owner.join()
        },
        Case("M20-unusable", "a robust lock that is released without being made consistent can never be locked again") {
            _ in
            let mutex = Mutex("m", .robust)
            try Thread { try mutex.lock() }.join()
            try mutex.lock()
            try mutex.unlock()
            for _ in 0..<2 {
                do {
                    try mutex.lock()
                    try expect(false)
                } catch is Mutex.Unusable {}
            }
            do {
                _ = try mutex.tryLock()
                try expect(false)
            } catch is Mutex.Unusable {}
        },
        Case("M20-many", "a program can create any number of robust locks, one after the other") { _ in
            for _ in 0..<1100 {
                let mutex = Mutex(nil, .robust)
                try mutex.lock()
                try mutex.unlock()
            }
        },
        Case(
            "M20-wait", "a robust lock cannot be used with a condition", endings: [.misuse("invalid-value")]
        ) { _ in
            let mutex = Mutex("m", .robust)
            let condition = Condition("c")
            try mutex.lock()
            try condition.wait(with: mutex)
        },
        Case("M21", "cleanup takes a lock while an error unwinds, and leaves it usable") { _ in
            let mutex = Mutex()
            let cleaned = Plain(false)
            @Sendable func fail() throws {
                defer { try? mutex.withLock { cleaned.value = true } }
                throw Failure()
            }
            let thread = try Thread { do { try fail() } catch is Failure {} }
            try mutex.withLock {}
            try thread.join()
            try expect(cleaned.value && mutex.tryLock())
            try mutex.unlock()
        },
        Case("M21-with", "withLock frees the lock when its body fails") { _ in
            let mutex = Mutex()
            do { try mutex.withLock { throw Failure() } } catch is Failure {}
            try expect(mutex.tryLock())
            try mutex.unlock()
        },
        Case("M23-inherit", "a mutex that inherits priorities excludes like any other") { _ in
            let mutex = try Mutex(nil, priority: .inherit)
            let count = Shared(nil, 0)
            let threads = try (0..<2).map { number in
                try Thread(nil, ThreadAttributes(priority: 10 + number)) {
                    try mutex.withLock { try count.update { $0 + 1 } }
                }
            }
            for thread in threads { try thread.join() }
            try expect(count.read() == 2)
            try expect(mutex.lock(until: Instant.now + .milliseconds(1)))
            try expect(!mutex.tryLock())
            try mutex.unlock()
        },
        Case("M23-ceiling", "the thread that holds a mutex with a ceiling has its priority, and then its own again") {
            _ in
            let mutex = try Mutex(nil, priority: .ceiling(20))
            let thread = try Thread(nil, ThreadAttributes(priority: 5)) {
                try mutex.withLock { try expect(Thread.priority == 20) }
                try expect(Thread.priority == 5)
                try expect(mutex.tryLock())
                try expect(Thread.priority == 20)
                try mutex.unlock()
            }
            try thread.join()
        },
        Case("M23-wait", "a wait gives the ceiling up, and afterwards each thread has its own priority again") { _ in
            let mutex = try Mutex(nil, priority: .ceiling(20))
            let condition = Condition()
            let isSet = Atomic(nil, false)
            let waiter = try Thread(nil, ThreadAttributes(priority: 5)) {
                try mutex.withLock {
                    while try !isSet.load() { try condition.wait(with: mutex) }
                    try expect(Thread.priority == 20)
                }
                try expect(Thread.priority == 5)
            }
            let other = try Thread(nil, ThreadAttributes(priority: 10)) {
                try mutex.withLock {
                    try isSet.store(true)
                    try condition.signal()
                }
                try expect(Thread.priority == 10)
            }
            try waiter.join()
            try other.join()
        },
        Case("M23-above", "a mutex refuses a thread whose priority is above its ceiling, and a ceiling that is none") {
            _ in
            try expectMisuse("invalid-value") { _ = try Mutex(nil, priority: .ceiling(32)) }
            let mutex = try Mutex(nil, priority: .ceiling(20))
            let thread = try Thread(nil, ThreadAttributes(priority: 25)) {
                try expectMisuse("invalid-value") { try mutex.lock() }
            }
            try thread.join()
            try mutex.lock()
            try mutex.unlock()
        },
        Case("M22", "distinct locks do not interfere") { _ in
            let a = Mutex()
            let b = Mutex()
            try a.lock()
            let thread = try Thread { try b.withLock {} }
            try b.withLock {}
            try thread.join()
            try a.unlock()
        },
    ]
}
