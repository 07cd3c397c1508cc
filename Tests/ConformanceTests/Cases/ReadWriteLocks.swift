import Primitives

extension Case {
    private static let both = [ReadWriteLock.Preference.readers, .writers]

    static let readWriteLocks: [Case] = [
        Case("W1", "two readers hold it at once") { _ in
            for preference in both {
                let lock = ReadWriteLock(prefer: preference)
                try lock.lockToRead()
                let thread = try Thread { try lock.withReadLock {} }
                try thread.join()
                try lock.unlock()
            }
        },
        Case("W2", "while it is held for writing, others are refused") { _ in
            for preference in both {
                let lock = ReadWriteLock(prefer: preference)
                try lock.lockToWrite()
                let thread = try Thread { try expect(!lock.tryLockToRead() && !lock.tryLockToWrite()) }
                try thread.join()
                try lock.unlock()
            }
        },
        Case("W3", "a writer waits for the last reader, and its try is refused until then") { _ in
            let lock = ReadWriteLock()
            let hasRead = Plain(false)
            try lock.lockToRead()
            let thread = try Thread { try lock.withWriteLock { try expect(hasRead.value) } }
            let other = try Thread { try expect(!lock.tryLockToWrite()) }
            try other.join()
            hasRead.value = true
            try lock.unlock()
            try thread.join()
        },
        Case("W4", "readers do not see what a writer has half done") { _ in
            let lock = ReadWriteLock()
            let number = Shared(nil, 0)
            let readers = try (0..<2).map { _ in
                try Thread { try lock.withReadLock { try expect(number.read() >= 0) } }
            }
            try lock.withWriteLock {
                try number.write(-1)
                try number.write(1)
            }
            for reader in readers { try reader.join() }
        },
        Case("W5", "a reader that entered twice leaves twice before a writer may enter") { _ in
            let lock = ReadWriteLock()
            try lock.lockToRead()
            try lock.lockToRead()
            func isFree() throws -> Bool {
                let thread = try Thread.returning {
                    guard try lock.tryLockToWrite() else { return 0 }
                    try lock.unlock()
                    return 1
                }
                return try thread.join() == 1
            }
            try lock.unlock()
            try expect(!isFree())
            try lock.unlock()
            try expect(isFree())
        },
        Case("W-downgrade", "a writer that becomes a reader lets readers in, and no writer comes between") { _ in
            for preference in both {
                let lock = ReadWriteLock(prefer: preference)
                let number = Plain(0)
                try lock.lockToWrite()
                let writer = try Thread { try lock.withWriteLock { number.value += 10 } }
                number.value = 1
                try lock.downgrade()
                try expect(number.value == 1)
                let other = try Thread { try expect(!lock.tryLockToWrite()) }
                try other.join()
                try expect(number.value == 1)
                try lock.unlock()
                try writer.join()
                try expect(number.value == 11)
            }
        },
        Case("W-downgrade-shared", "after a downgrade another reader enters, unless a writer waits") { _ in
            for preference in both {
                let lock = ReadWriteLock(prefer: preference)
                try lock.lockToWrite()
                try lock.downgrade()
                let reader = try Thread { try lock.withReadLock {} }
                try reader.join()
                try lock.unlock()
                try lock.withWriteLock {}
            }
        },
        Case("W-downgrade-misuse", "only a writer can downgrade") { _ in
            let lock = ReadWriteLock()
            try lock.lockToRead()
            try expectMisuse("unlock-not-owner") { try lock.downgrade() }
            try lock.unlock()
            try expectMisuse("unlock-not-owner") { try lock.downgrade() }
        },
        Case("W6-readers", "with readers first a new reader gets in while a writer waits", sightings: ["gets in"]) {
            sightings in
            try newReader(.readers, sightings)
        },
        Case(
            "W6-writers", "with writers first a new reader is refused as soon as a writer waits",
            sightings: ["gets in", "is refused"]
        ) { sightings in
            try newReader(.writers, sightings)
        },
        Case("W7-readers", "with readers first a reader may enter again while a writer waits") { _ in
            try readAgain(.readers)
        },
        Case(
            "W7-writers", "with writers first a reader that enters again waits for the writer, which waits for it",
            endings: [.completed, .deadlock]
        ) { _ in
            try readAgain(.writers)
        },
        Case("W8", "a reader that asks to write waits for itself", endings: [.deadlock]) { _ in
            let lock = ReadWriteLock()
            try lock.lockToRead()
            try lock.lockToWrite()
        },
        Case("W8-two", "two readers that both ask to write wait for each other", endings: [.deadlock]) { _ in
            let lock = ReadWriteLock()
            let reads = try Semaphore(value: 0)
            try lock.lockToRead()
            let thread = try Thread {
                try lock.lockToRead()
                try reads.signal()
                try lock.lockToWrite()
            }
            try reads.wait()
            try lock.lockToWrite()
            try thread.join()
        },
        Case("W9", "a writer that asks again is refused, and still writes") { _ in
            for preference in both {
                let lock = ReadWriteLock(prefer: preference)
                try lock.lockToWrite()
                try expectMisuse("relock") { try lock.lockToWrite() }
                try expectMisuse("relock") { try lock.lockToRead() }
                try expectMisuse("relock") { _ = try lock.lockToWrite(until: .distantFuture) }
                try expectMisuse("relock") { _ = try lock.lockToRead(until: .distantFuture) }
                try expect(!lock.tryLockToRead() && !lock.tryLockToWrite())
                try lock.unlock()
            }
        },
        Case("W11", "a request until a deadline gives up then, not before; a free lock is taken whatever the deadline")
        { _ in
            for preference in both {
                let lock = ReadWriteLock(prefer: preference)
                try expect(lock.lockToRead(until: .distantPast))
                let writer = try Thread {
                    let deadline = Instant.now + .milliseconds(2)
                    try expect(!lock.lockToWrite(until: deadline) && Instant.now >= deadline)
                    try expect(!lock.lockToWrite(until: .distantPast))
                }
                try writer.join()
                try lock.unlock()
                try expect(lock.lockToWrite(until: .distantPast))
                let reader = try Thread {
                    let deadline = Instant.now + .milliseconds(2)
                    try expect(!lock.lockToRead(until: deadline) && Instant.now >= deadline)
                    try expect(!lock.lockToRead(until: .distantPast))
                }
                try reader.join()
                try lock.unlock()
            }
        },
        Case("W11-gone", "a writer that has given up keeps no reader out") { _ in
            let lock = ReadWriteLock(prefer: .writers)
            try lock.lockToRead()
            let writer = try Thread { try expect(!lock.lockToWrite(until: .now + .milliseconds(1))) }
            try writer.join()
            let reader = try Thread {
                try expect(lock.tryLockToRead())
                try lock.unlock()
            }
            try reader.join()
            try lock.unlock()
        },
        Case("W12", "no reader is left asleep when tries and waits mix", search: .some) { _ in
            try mix(.readers, tries: true)
        },
        Case("W13", "with readers first, readers that take over from a blocked writer all get in") { _ in
            let lock = ReadWriteLock()
            try lock.lockToWrite()
            let readers = try (0..<2).map { _ in try Thread { try lock.withReadLock {} } }
            let writer = try Thread { if try lock.lockToWrite(until: .distantPast) { try lock.unlock() } }
            try lock.unlock()
            for reader in readers { try reader.join() }
            try writer.join()
        },
        Case("W14", "a random mix of readers and writers finishes", search: .some) { _ in
            for preference in both { try mix(preference, tries: false) }
        },
        Case("W15", "an unlock by a thread that holds nothing is refused") { _ in
            let lock = ReadWriteLock()
            try expectMisuse("unlock-not-owner") { try lock.unlock() }
            try lock.lockToRead()
            let thread = try Thread {
                try expectMisuse("unlock-not-owner") { try lock.unlock() }
                try expect(!lock.tryLockToWrite())
            }
            try thread.join()
            try lock.unlock()
            try lock.lockToWrite()
            let second = try Thread { try expectMisuse("unlock-not-owner") { try lock.unlock() } }
            try second.join()
            try lock.unlock()
        },
        Case("W-destroy", "discarding a lock that is held is reported", endings: [.misuse("destroy-held")]) { _ in
            func forget() throws { try ReadWriteLock("forgotten").lockToRead() }
            try forget()
            try Thread.yield()
        },
    ]

    /// The main thread reads, a writer arrives, and then another reader.
    private static func newReader(_ preference: ReadWriteLock.Preference, _ sightings: Sightings) throws {
        let lock = ReadWriteLock(prefer: preference)
        let isComing = try Semaphore(value: 0)
        try lock.lockToRead()
        let writer = try Thread {
            try isComing.signal()
            try lock.withWriteLock {}
        }
        try isComing.wait()
        let reader = try Thread {
            guard try lock.tryLockToRead() else { return sightings.saw("is refused") }
            sightings.saw("gets in")
            try lock.unlock()
        }
        try reader.join()
        try lock.unlock()
        try writer.join()
    }

    private static func readAgain(_ preference: ReadWriteLock.Preference) throws {
        let lock = ReadWriteLock(prefer: preference)
        try lock.lockToRead()
        let writer = try Thread { try lock.withWriteLock {} }
        try lock.lockToRead()
        try lock.unlock()
        try lock.unlock()
        try writer.join()
    }

    private static func mix(_ preference: ReadWriteLock.Preference, tries: Bool) throws {
        let lock = ReadWriteLock(prefer: preference)
        let threads = try (0..<4).map { number in
            try Thread {
                for round in 0..<5 {
                    let writes = try choose(4) == 0
                    if tries && (number + round) % 2 == 0 {
                        guard try writes ? lock.tryLockToWrite() : lock.tryLockToRead() else { continue }
                    } else {
                        try writes ? lock.lockToWrite() : lock.lockToRead()
                    }
                    try lock.unlock()
                }
            }
        }
        for thread in threads { try thread.join() }
    }
}
