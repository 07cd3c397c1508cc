import Primitives

extension Case {
    static let timedConditions: [Case] = [
        Case("V1-timed", "a wait after the signal runs into its deadline, and holds the lock") { _ in
            let mutex = Mutex(nil, .errorChecking)
            let condition = Condition()
            try condition.signal()
            try mutex.lock()
            let deadline = Instant.now + .milliseconds(2)
            try expect(!condition.wait(with: mutex, until: deadline))
            try expect(Instant.now >= deadline)
            try mutex.unlock()
        },
        Case("V9", "a thread does not wait for a predicate that already holds") { _ in
            let mutex = Mutex()
            let condition = Condition()
            let ready = Plain(true)
            try mutex.withLock {
                while !ready.value { try expect(condition.wait(with: mutex, until: .distantPast)) }
            }
        },
        Case("V10", "a thread waits for a predicate that never holds until the deadline") { _ in
            let mutex = Mutex()
            let condition = Condition()
            let ready = Plain(false)
            let deadline = Instant.now + .milliseconds(1)
            try mutex.withLock {
                while !ready.value {
                    guard try condition.wait(with: mutex, until: deadline) else { break }
                }
                try expect(Instant.now >= deadline)
            }
        },
        Case("V11", "a wait until a moment that has passed returns at once, and holds the lock") { _ in
            let mutex = Mutex(nil, .errorChecking)
            let condition = Condition()
            try mutex.lock()
            try expect(!condition.wait(with: mutex, until: .distantPast))
            try expect(!condition.wait(with: mutex, until: .now))
            try mutex.unlock()
        },
        Case("V12", "the farthest deadlines do not overflow: a signal ends the wait") { _ in
            for deadline in [Instant.distantFuture, .now + .seconds(Int64.max), .now + .seconds(9_000_000_000)] {
                let mutex = Mutex()
                let condition = Condition()
                try mutex.lock()
                let thread = try Thread { try mutex.withLock { try condition.signal() } }
                try expect(condition.wait(with: mutex, until: deadline))
                try mutex.unlock()
                try thread.join()
            }
        },
        Case(
            "V12-never", "a wait until the distant future, without a signal, lasts forever", endings: [.deadlock]
        ) { _ in
            let mutex = Mutex()
            let condition = Condition()
            try mutex.lock()
            _ = try condition.wait(with: mutex, until: .distantFuture)
        },
        Case(
            "V-late-signal", "a waiter that has timed out takes no signal from one that still waits",
            runsOnRealThreads: false
        ) { _ in
            let mutex = Mutex()
            let condition = Condition()
            let patient = try waiters(1, on: condition, with: mutex) { _ in }
            let arrived = try Semaphore(value: 0)
            let hasty = try Thread {
                try mutex.withLock {
                    try arrived.signal()
                    try expect(!condition.wait(with: mutex, until: .now + .milliseconds(1)))
                }
            }
            try arrived.wait()
            try mutex.withLock {
                try Thread.sleep(for: .milliseconds(5))
                try condition.signal()
            }
            try patient[0].join()
            try hasty.join()
        },
        Case(
            "V-out-of-time", "a wait that times out may find that its predicate holds",
            sightings: ["in time, holds", "out of time, holds", "out of time, does not hold"], runsOnRealThreads: false
        ) { sightings in
            let mutex = Mutex()
            let condition = Condition()
            let ready = Plain(false)
            let deadline = Instant.now + .milliseconds(1)
            let thread = try Thread {
                try Thread.sleep(until: deadline)
                try mutex.withLock {
                    ready.value = true
                    try condition.signal()
                }
            }
            try mutex.withLock {
                let inTime = try condition.wait(with: mutex, until: deadline)
                sightings.saw("\(inTime ? "in time" : "out of time"), \(ready.value ? "holds" : "does not hold")")
            }
            try thread.join()
        },
    ]
}
