import Primitives

extension Case {
    static let semaphores: [Case] = [
        Case("S1", "with the value n, n waits pass") { _ in
            let semaphore = try Semaphore(value: 2)
            try semaphore.wait()
            try semaphore.wait()
            try expect(!semaphore.tryWait())
        },
        Case("S1-next", "the next wait blocks", endings: [.deadlock]) { _ in
            let semaphore = try Semaphore(value: 1)
            try semaphore.wait()
            try semaphore.wait()
        },
        Case("S2", "try-wait at 0 is refused at once") { _ in
            let semaphore = try Semaphore(value: 0)
            try expect(!semaphore.tryWait())
            try expect(semaphore.value() == 0)
        },
        Case("S3", "a signal lets one waiting thread continue, and the value stays 0") { _ in
            let semaphore = try Semaphore(value: 0)
            let thread = try Thread { try semaphore.wait() }
            try semaphore.signal()
            try thread.join()
            try expect(semaphore.value() == 0)
        },
        Case("S4", "a thread that never waited may signal") { _ in
            let semaphore = try Semaphore(value: 0)
            let thread = try Thread { try semaphore.signal() }
            try semaphore.wait()
            try thread.join()
        },
        Case("S5", "a wait until a deadline gives up then, not before, and takes nothing") { _ in
            let semaphore = try Semaphore(value: 0)
            let deadline = Instant.now + .milliseconds(2)
            try expect(!semaphore.wait(until: deadline))
            try expect(Instant.now >= deadline)
            try expect(!semaphore.wait(until: .distantPast))
            try expect(semaphore.value() == 0)
        },
        Case("S6", "an available permit is taken whatever the deadline") { _ in
            let semaphore = try Semaphore(value: 1)
            try expect(semaphore.wait(until: .distantPast))
            try expect(semaphore.value() == 0)
        },
        Case("S7", "the value with a thread waiting is 0, and reading it changes nothing") { _ in
            let semaphore = try Semaphore(value: 0)
            let thread = try Thread { try semaphore.wait() }
            try expect(semaphore.value() == 0 && semaphore.value() == 0)
            try semaphore.signal()
            try thread.join()
        },
        Case("S8", "a signal beyond the maximum value is refused, and so is a value out of range") { _ in
            let semaphore = try Semaphore(value: Semaphore.maximumValue)
            try expectMisuse("semaphore-overflow") { try semaphore.signal() }
            try expect(semaphore.value() == Semaphore.maximumValue)
            try expectMisuse("invalid-value") { _ = try Semaphore(value: Semaphore.maximumValue + 1) }
            try expectMisuse("invalid-value") { _ = try Semaphore(value: -1) }
        },
        Case("S9", "as a lock it excludes, and no thread is left waiting") { _ in
            let semaphore = try Semaphore(value: 0)
            let count = Shared(nil, 0)
            let threads = try (0..<2).map { _ in
                try Thread {
                    try semaphore.wait()
                    try count.update { $0 + 1 }
                    try semaphore.signal()
                }
            }
            try semaphore.signal()
            for thread in threads { try thread.join() }
            try expect(count.read() == 2)
        },
        Case("S11", "permits go to waiting threads in any order", sightings: ["0 first", "1 first"]) { sightings in
            let semaphore = try Semaphore(value: 0)
            let isFirst = Atomic(nil, true)
            let threads = try (0..<2).map { number in
                try Thread {
                    try semaphore.wait()
                    if try isFirst.exchange(false) { sightings.saw("\(number) first") }
                }
            }
            for _ in 0..<2 { try semaphore.signal() }
            for thread in threads { try thread.join() }
        },
    ]
}
