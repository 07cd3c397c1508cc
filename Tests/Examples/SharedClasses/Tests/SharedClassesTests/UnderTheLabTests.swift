#if Lab
    import Testing
    import ThreadLabTesting
    import ThreadLabTypes

    @testable import OlderClasses
    @testable import SharedClasses

    /// Each class has a bug that needs an unlucky schedule, and a variant without it that is proved.
    @Suite struct UnderTheLabTests {
        @Test func `the cache loads a value twice`() throws {
            try explore(expecting: .assertion) {
                let cache = ExpiringCache<String, Int>(lifetime: 60)
                try Self.useFromTwoThreads { key, load in cache.value(for: key, load: load) }
            }
        }

        @Test func `a cache that notes what is being loaded loads it once`() throws {
            let result = try explore(.exhaustive) {
                let cache = SingleLoadCache<String, Int>(lifetime: 60)
                try Self.useFromTwoThreads { key, load in cache.value(for: key, load: load) }
            }
            #expect(result.triedEveryOrder)
        }

        @Test func `a value that has expired is loaded again, without a wait in the test`() throws {
            try explore(.exhaustive) {
                let cache = SingleLoadCache<String, Int>(lifetime: 60)
                var loads = 0
                for pause in [0.0, 30, 31] {
                    Lab.Thread.sleep(forTimeInterval: pause)
                    _ = cache.value(for: "a") { _ in
                        loads += 1
                        return loads
                    }
                }
                try check(loads == 2)
            }
        }

        @Test func `of calls in quick succession the last one is made, and late`() throws {
            try explore(.random(executions: 100)) {
                let debouncer = Debouncer(interval: 60)
                let made = Lab.OSAllocatedUnfairLock<[Int]>(initialState: [])
                for number in 1...2 { debouncer.call { made.withLock { $0.append(number) } } }
                try check(debouncer.remaining == 60)
                Lab.Thread.sleep(forTimeInterval: 61)
                try check(made.withLock { $0 } == [2])
            }
        }

        @Test(arguments: [false, true])
        func `a value reaches one of two threads that wait for it; both, if a signal is kept`(keeps: Bool) throws {
            try explore(expecting: keeps ? .completed : .assertion) {
                let future = Future(keepsSignal: keeps) { 7 }
                let first = future.get(within: 3_600_000)
                let second = future.get(within: 3_600_000)
                try check(first == 7 && second == 7, "the second one has waited without result")
            }
        }

        @Test(arguments: [false, true])
        func `a counter over a POSIX mutex loses an addition; one that holds it throughout does not`(holds: Bool) throws
        {
            try explore(expecting: holds ? .completed : .assertion) {
                let counter = Counter(holdsLock: holds)
                let done = Lab.DispatchSemaphore(value: 0)
                Lab.Thread.detachNewThread {
                    counter.add()
                    done.signal()
                }
                counter.add()
                done.wait()
                try check(counter.value == 2, "an addition was lost")
            }
        }

        private static func useFromTwoThreads(
            _ cache: @escaping @Sendable (String, (String) -> Int) -> Int
        ) throws {
            let loads = Count()
            let done = Lab.DispatchSemaphore(value: 0)
            let use = { @Sendable in
                _ = cache("a") { _ in loads.value.wrappingAdd(1, ordering: .relaxed).newValue }
            }
            Lab.Thread.detachNewThread {
                use()
                done.signal()
            }
            use()
            done.wait()
            try check(loads.value.load(ordering: .relaxed) == 1, "the value was loaded twice")
        }

        private final class Count: Sendable {
            let value = Lab.Atomic(0)
        }

        @Test(arguments: [false, true])
        func `the pool loses a wake-up; one that always signals does not`(signalsAlways: Bool) throws {
            try explore(expecting: signalsAlways ? .completed : .deadlock) {
                let pool = ConnectionPool([1, 2], signalsAlways: signalsAlways)
                let group = Lab.DispatchGroup()
                let (first, second) = (pool.take(), pool.take())
                for _ in 1...2 {
                    group.enter()
                    Lab.Thread.detachNewThread {
                        pool.give(back: pool.take())
                        group.leave()
                    }
                }
                pool.give(back: first)
                pool.give(back: second)
                group.wait()
            }
        }

        @Test(arguments: [false, true])
        func `a thumbnail is missing; one that its operation notes is not`(notesInOperation: Bool) throws {
            try explore(expecting: notesInOperation ? .completed : .assertion) {
                let maker = ThumbnailMaker(notesInOperation: notesInOperation)
                maker.add(["a", "b"]) { "\($0), small" }
                try check(maker.all().count == 2, "a thumbnail is missing")
            }
        }

        @Test(arguments: [false, true])
        func `buses that publish on each other deadlock; those that call outside do not`(callsOutside: Bool) throws {
            try explore(expecting: callsOutside ? .completed : .deadlock) {
                let orders = EventBus<Int>("orders", callsOutside: callsOutside)
                let stock = EventBus<Int>("stock", callsOutside: callsOutside)
                orders.subscribe { if $0 > 0 { stock.publish($0 - 1) } }
                stock.subscribe { if $0 > 0 { orders.publish($0 - 1) } }
                let done = Lab.DispatchSemaphore(value: 0)
                Lab.Thread.detachNewThread {
                    stock.publish(1)
                    done.signal()
                }
                orders.publish(1)
                done.wait()
            }
        }
    }
#endif
