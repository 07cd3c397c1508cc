import Primitives

extension Case {
    static let recursiveMutexes: [Case] = [
        Case("R1", "a recursive lock is free after as many unlocks as locks, and refused to others until then") { _ in
            let mutex = Mutex(nil, .recursive)
            func isFree() throws -> Bool {
                let thread = try Thread.returning {
                    guard try mutex.tryLock() else { return 0 }
                    try mutex.unlock()
                    return 1
                }
                return try thread.join() == 1
            }
            try mutex.lock()
            try mutex.lock()
            try expect(mutex.tryLock())
            for _ in 0..<3 {
                try expect(!isFree())
                try mutex.unlock()
            }
            try expect(isFree())
        },
        Case("R2", "the owner's try-lock counts") { _ in
            let mutex = Mutex(nil, .recursive)
            try mutex.lock()
            try expect(mutex.tryLock())
            try mutex.unlock()
            try mutex.unlock()
            try expectMisuse("unlock-not-owner") { try mutex.unlock() }
        },
        Case("R3", "another thread's try-lock is refused while it is held") { _ in
            let mutex = Mutex(nil, .recursive)
            try mutex.lock()
            let thread = try Thread { try expect(!mutex.tryLock()) }
            try thread.join()
            try mutex.unlock()
        },
        Case("R4", "the owner's lock until a deadline succeeds at once, and counts") { _ in
            let mutex = Mutex(nil, .recursive)
            try mutex.lock()
            try expect(mutex.lock(until: .distantPast))
            try mutex.unlock()
            let thread = try Thread { try expect(!mutex.tryLock()) }
            try thread.join()
            try mutex.unlock()
        },
        Case("R5", "one unlock too many is refused") { _ in
            let mutex = Mutex(nil, .recursive)
            try mutex.withLock { try mutex.withLock {} }
            try expectMisuse("unlock-not-owner") { try mutex.unlock() }
        },
        Case("R6", "another thread's unlock is refused, and it stays held") { _ in
            let mutex = Mutex(nil, .recursive)
            try mutex.lock()
            let thread = try Thread {
                try expectMisuse("unlock-not-owner") { try mutex.unlock() }
                try expect(!mutex.tryLock())
            }
            try thread.join()
            try mutex.unlock()
        },
        Case("R7", "another thread never sees what the owner has half done, however often it enters again") { _ in
            let mutex = Mutex(nil, .recursive)
            let sum = Plain(0)
            try mutex.lock()
            let thread = try Thread { try mutex.withLock { try expect(sum.value == 10) } }
            for number in 1...4 { try mutex.withLock { sum.value += number } }
            try mutex.unlock()
            try thread.join()
        },
        Case("R8", "balanced nested updates of many threads cancel out", search: .some) { _ in
            let mutex = Mutex(nil, .recursive)
            let balance = Shared(nil, 0)
            let threads = try (0..<5).map { _ in
                try Thread {
                    for _ in 0..<4 {
                        try mutex.withLock {
                            try balance.update { $0 + 1 }
                            try mutex.withLock { try balance.update { $0 - 1 } }
                        }
                    }
                }
            }
            for thread in threads { try thread.join() }
            try expect(balance.read() == 0)
        },
        Case("R-wait", "a wait with a recursive lock that is held once releases it, and holds it once again afterwards")
        { _ in
            let mutex = Mutex(nil, .recursive)
            let condition = Condition()
            let ready = Plain(false)
            let thread = try Thread {
                try mutex.withLock {
                    ready.value = true
                    try condition.signal()
                }
            }
            try mutex.lock()
            while !ready.value { try condition.wait(with: mutex) }
            try mutex.unlock()
            try expectMisuse("unlock-not-owner") { try mutex.unlock() }
            try thread.join()
        },
        Case(
            "R-wait-twice", "a wait with a recursive lock that is locked twice does not release it",
            endings: [.deadlock]
        ) { _ in
            let mutex = Mutex(nil, .recursive)
            let condition = Condition()
            let ready = Plain(false)
            try mutex.lock()
            try mutex.lock()
            let thread = try Thread {
                try mutex.withLock {
                    ready.value = true
                    try condition.signal()
                }
            }
            while !ready.value { try condition.wait(with: mutex) }
            try mutex.unlock()
            try mutex.unlock()
            try thread.join()
        },
    ]
}
