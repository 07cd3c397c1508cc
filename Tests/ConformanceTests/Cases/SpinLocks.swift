import Primitives

extension Case {
    static let spinLocks: [Case] = [
        Case("P1", "a spin lock that is held is refused to a try-lock, and spun for, and owned on return") { _ in
            let lock = SpinLock()
            let wasFreed = Shared(nil, false)
            try lock.lock()
            let other = try Thread { try expect(!lock.tryLock()) }
            try other.join()
            let waiting = try Thread {
                try lock.lock()
                try expect(wasFreed.read())
                try lock.unlock()
            }
            try wasFreed.write(true)
            try lock.unlock()
            try waiting.join()
            try expect(lock.tryLock())
            try lock.unlock()
        },
        Case("P1-counts", "increments under a spin lock all count") { _ in
            let lock = SpinLock()
            let count = Shared(nil, 0)
            let threads = try (0..<2).map { _ in
                try Thread { try lock.withLock { try count.update { $0 + 1 } } }
            }
            for thread in threads { try thread.join() }
            try expect(count.read() == 2)
        },
        Case("P1-error", "withLock frees a spin lock when its body fails") { _ in
            let lock = SpinLock()
            do { try lock.withLock { throw Failure() } } catch is Failure {}
            try expect(lock.tryLock())
            try lock.unlock()
        },
        Case("P1-owner", "a spin lock is not unlocked by a thread that does not hold it, and stays held") { _ in
            let lock = SpinLock()
            try expectMisuse("unlock-not-owner") { try lock.unlock() }
            try lock.lock()
            let thread = try Thread {
                try expectMisuse("unlock-not-owner") { try lock.unlock() }
                try expect(!lock.tryLock())
            }
            try thread.join()
            try lock.unlock()
        },
        Case("P2", "the owner of a spin lock that locks it again spins forever", endings: [.livelock]) { _ in
            let lock = SpinLock("s")
            try lock.lock()
            try lock.lock()
        },
        Case(
            "P2-two", "two threads that take two spin locks in opposite orders may spin forever",
            endings: [.completed, .livelock]
        ) { _ in
            let (a, b) = (SpinLock("a"), SpinLock("b"))
            let thread = try Thread { try a.withLock { try b.withLock {} } }
            try b.withLock { try a.withLock {} }
            try thread.join()
        },
    ]
}
