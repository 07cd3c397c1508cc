import Primitives

extension Case {
    static let latches: [Case] = [
        Case("LT1", "no thread passes before the last count, and it sees what was done before each") { _ in
            let latch = try Latch(count: 2)
            let values = (0..<2).map { _ in Shared(nil, 0) }
            let counters = try (0..<2).map { number in
                try Thread {
                    try values[number].write(1)
                    try latch.countDown()
                }
            }
            try latch.wait()
            try expect(values[0].read() + values[1].read() == 2)
            for counter in counters { try counter.join() }
        },
        Case("LT2", "a latch of 0 is open") { _ in
            try Latch(count: 0).wait()
        },
        Case("LT3", "a negative count is refused") { _ in
            try expectMisuse("invalid-value") { _ = try Latch(count: -1) }
        },
        Case("LT4", "an open latch stays open, and counting it down does nothing") { _ in
            let latch = try Latch(count: 1)
            for _ in 0..<3 { try latch.countDown() }
            for _ in 0..<3 { try latch.wait() }
        },
        Case("LT5", "with one count too few no thread passes", endings: [.deadlock]) { _ in
            let latch = try Latch(count: 2)
            try latch.countDown()
            try latch.wait()
        },
        Case("LT6", "the last count lets every waiting thread continue") { _ in
            let latch = try Latch(count: 1)
            let threads = try (0..<2).map { _ in try Thread { try latch.wait() } }
            try latch.countDown()
            for thread in threads { try thread.join() }
        },
        Case("LT7", "a wait that ends without a signal lets no thread pass", spuriousWakeups: 1) { _ in
            let latch = try Latch(count: 1)
            let isDone = Shared(nil, false)
            let thread = try Thread {
                try latch.wait()
                try expect(isDone.read())
            }
            try isDone.write(true)
            try latch.countDown()
            try thread.join()
        },
    ]
}
