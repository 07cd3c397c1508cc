import Primitives

extension Case {
    /// Starts threads that all wait on the condition, and returns when each of them does.
    static func waiters(
        _ count: Int, on condition: Condition, with mutex: Mutex, after: @escaping @Sendable (Int) throws -> Void
    ) throws -> [Thread] {
        let arrivals = try Semaphore(value: 0)
        let threads = try (0..<count).map { number in
            try Thread {
                try mutex.withLock {
                    try arrivals.signal()
                    try condition.wait(with: mutex)
                    try after(number)
                }
            }
        }
        for _ in 0..<count { try arrivals.wait() }
        // A thread that has arrived holds the mutex until it waits.
        try mutex.withLock {}
        return threads
    }

    static let conditions: [Case] = [
        Case("V1", "a signal without a waiter is not remembered", endings: [.deadlock]) { _ in
            let mutex = Mutex()
            let condition = Condition()
            try condition.signal()
            try condition.broadcast()
            try mutex.lock()
            try condition.wait(with: mutex)
        },
        Case("V2", "a wait frees the lock, and holds it again on return") { _ in
            let mutex = Mutex(nil, .errorChecking)
            let condition = Condition()
            try mutex.lock()
            let thread = try Thread {
                try mutex.lock()
                try condition.signal()
                try expectMisuse("relock") { try mutex.lock() }
                try mutex.unlock()
            }
            try condition.wait(with: mutex)
            try expectMisuse("relock") { try mutex.lock() }
            try mutex.unlock()
            try thread.join()
        },
        Case("V3", "a signal wakes one waiter, no matter which", sightings: ["0 first", "1 first"]) { sightings in
            let mutex = Mutex()
            let condition = Condition()
            let woken = Plain<[Int]>([])
            let first = try Semaphore(value: 0)
            let threads = try waiters(2, on: condition, with: mutex) { number in
                woken.value.append(number)
                try first.signal()
            }
            try condition.signal()
            try first.wait()
            try mutex.withLock {
                try expect(woken.value.count == 1)
                sightings.saw("\(woken.value[0]) first")
                try condition.broadcast()
            }
            for thread in threads { try thread.join() }
        },
        Case("V3-lost", "one signal does not wake two waiters", endings: [.deadlock]) { _ in
            let mutex = Mutex()
            let condition = Condition()
            let threads = try waiters(2, on: condition, with: mutex) { _ in }
            try condition.signal()
            for thread in threads { try thread.join() }
        },
        Case("V4", "a broadcast wakes every waiter, one after the other as each gets the lock; a second finds none") {
            _ in
            let mutex = Mutex()
            let condition = Condition()
            let inside = Plain(0)
            let threads = try waiters(2, on: condition, with: mutex) { _ in
                inside.value += 1
                try expect(inside.value == 1)
                try Thread.yield()
                inside.value -= 1
            }
            try condition.broadcast()
            try condition.broadcast()
            for thread in threads { try thread.join() }
        },
        Case("V5", "a waiter that arrives after the signal does not take it from one that waited before") { _ in
            let mutex = Mutex()
            let condition = Condition()
            let early = try waiters(1, on: condition, with: mutex) { _ in }
            try condition.signal()
            let late = try Thread {
                try mutex.withLock { _ = try condition.wait(with: mutex, until: .now + .milliseconds(2)) }
            }
            try early[0].join()
            try late.join()
        },
        Case("V6", "no thread returns from a wait because others arrive", endings: [.deadlock]) { sightings in
            let mutex = Mutex()
            let condition = Condition()
            let threads = try waiters(2, on: condition, with: mutex) { _ in sightings.saw("returned") }
            for thread in threads { try thread.join() }
        },
        Case(
            "V7", "a wait may return although no thread signaled", endings: [.completed, .deadlock],
            spuriousWakeups: 1,
            runsOnRealThreads: false
        ) { _ in
            let mutex = Mutex()
            let condition = Condition()
            let thread = try Thread { try mutex.withLock { try condition.wait(with: mutex) } }
            try thread.join()
        },
        Case(
            "V7-early", "a wait may return before its signal and before its deadline",
            sightings: ["early", "signaled"],
            spuriousWakeups: 1, runsOnRealThreads: false
        ) { sightings in
            let mutex = Mutex()
            let condition = Condition()
            let signaled = Plain(false)
            let threads = try waiters(1, on: condition, with: mutex) { _ in
                sightings.saw(signaled.value ? "signaled" : "early")
            }
            try mutex.withLock {
                signaled.value = true
                try condition.signal()
            }
            try threads[0].join()
        },
        Case("V8", "a loop around the wait returns only when the predicate holds", spuriousWakeups: 2) { _ in
            let mutex = Mutex()
            let condition = Condition()
            let ready = Plain(false)
            let thread = try Thread {
                try mutex.withLock {
                    while !ready.value { try condition.wait(with: mutex) }
                    try expect(ready.value)
                }
            }
            try mutex.withLock {
                ready.value = true
                try condition.signal()
            }
            try thread.join()
        },
        Case("V13-under", "a broadcast under the lock misses no waiter", search: .some) { _ in
            try rounds(signalUnderLock: true)
        },
        Case("V13-after", "a broadcast after the unlock misses no waiter", search: .some) { _ in
            try rounds(signalUnderLock: false)
        },
        Case("V14", "a condition may be destroyed as soon as its waiters have been woken") { _ in
            let mutex = Mutex()
            let condition = Condition()
            let threads = try waiters(2, on: condition, with: mutex) { _ in }
            try condition.broadcast()
            try condition.destroy()
            for thread in threads { try thread.join() }
        },
        Case("V14-waiter", "a condition with a waiter is not destroyed") { _ in
            let mutex = Mutex()
            let condition = Condition()
            let threads = try waiters(1, on: condition, with: mutex) { _ in }
            try expectMisuse("destroy-held") { try condition.destroy() }
            try condition.signal()
            try threads[0].join()
        },
        Case("V15", "a wait with another lock than the one that a waiter uses is refused") { _ in
            let mutex = Mutex()
            let other = Mutex()
            let condition = Condition()
            let threads = try waiters(1, on: condition, with: mutex) { _ in }
            try other.withLock { try expectMisuse("wait-other-mutex") { try condition.wait(with: other) } }
            try condition.signal()
            try threads[0].join()
        },
        Case("V16", "one lock after the other may be used with a condition") { _ in
            let condition = Condition()
            for _ in 0..<2 {
                let threads = try waiters(1, on: condition, with: Mutex()) { _ in }
                try condition.signal()
                try threads[0].join()
            }
        },
        Case("V17", "a wait without the lock is refused, whatever its kind") { _ in
            for kind in [Mutex.Kind.normal, .errorChecking, .recursive] {
                let mutex = Mutex(nil, kind)
                let condition = Condition()
                try expectMisuse("wait-not-owner") { try condition.wait(with: mutex) }
                try mutex.lock()
                let thread = try Thread { try expectMisuse("wait-not-owner") { try condition.wait(with: mutex) } }
                try thread.join()
                try mutex.unlock()
            }
        },
        Case("V18", "with a signal for each token every token is consumed", search: .some) { _ in
            let mutex = Mutex()
            let condition = Condition()
            let tokens = Plain(0)
            let consumed = Atomic(nil, 0)
            let consumers = try (0..<3).map { _ in
                try Thread {
                    for _ in 0..<4 {
                        try mutex.withLock {
                            while tokens.value == 0 { try condition.wait(with: mutex) }
                            tokens.value -= 1
                        }
                        try consumed.add(1)
                    }
                }
            }
            for _ in 0..<12 {
                try mutex.withLock { tokens.value += 1 }
                try condition.signal()
            }
            for consumer in consumers { try consumer.join() }
            try expect(consumed.load() == 12)
        },
        Case("V19", "a woken thread cannot continue before the lock is free") { _ in
            let mutex = Mutex()
            let condition = Condition()
            let isFree = Plain(true)
            let threads = try waiters(1, on: condition, with: mutex) { _ in try expect(isFree.value) }
            try mutex.withLock {
                isFree.value = false
                try condition.signal()
                try Thread.yield()
                isFree.value = true
            }
            try threads[0].join()
        },
    ]

    /// Workers that wait for round after round to be announced.
    private static func rounds(signalUnderLock: Bool) throws {
        let mutex = Mutex()
        let condition = Condition()
        let round = Plain(0)
        let workers = try (0..<3).map { _ in
            try Thread {
                var seen = 0
                while seen < 3 {
                    try mutex.withLock {
                        while round.value == seen { try condition.wait(with: mutex) }
                        seen = round.value
                    }
                }
            }
        }
        for _ in 0..<3 {
            try mutex.lock()
            round.value += 1
            if signalUnderLock { try condition.broadcast() }
            try mutex.unlock()
            if !signalUnderLock { try condition.broadcast() }
        }
        for worker in workers { try worker.join() }
    }
}
