import Primitives

extension Case {
    static let workQueues: [Case] = [
        Case("Q1", "blocks of a serial queue run one at a time, in the order in which they were queued", search: .some)
        {
            _ in
            let queue = try WorkQueue("q")
            let order = Plain<[Int]>([])
            for number in 1...3 { try queue.async { order.value.append(number) } }
            let found = try queue.sync { order.value }
            try expect(found == [1, 2, 3])
        },
        Case("Q2", "async does not wait for the block", search: .some) { _ in
            let queue = try WorkQueue("q")
            let isOpen = try Latch(count: 1)
            try queue.async { try isOpen.wait() }
            try isOpen.countDown()
            try queue.sync {}
        },
        Case("Q3", "sync runs on the calling thread, and returns what the block returns") { _ in
            let queue = try WorkQueue("q")
            let caller = Thread.current
            try expect(queue.sync { Thread.current == caller ? 42 : 0 } == 42)
        },
        Case("Q3-error", "sync throws what the block throws, and gives up the queue") { _ in
            let queue = try WorkQueue("q")
            do { try queue.sync { throw Failure() } } catch is Failure { return try queue.sync {} }
            try expect(false)
        },
        Case("Q4", "the blocks of two threads in one queue never overlap", search: .some) { _ in
            let queue = try WorkQueue("q")
            let count = Shared(nil, 0)
            let thread = try Thread { try queue.sync { try count.write(count.read() + 1) } }
            try queue.async { try count.write(count.read() + 1) }
            try thread.join()
            try expect(queue.sync { try count.read() } == 2)
        },
        Case("Q5", "a block that waits for its own queue waits forever", endings: [.deadlock]) { _ in
            let queue = try WorkQueue("q")
            try queue.sync { try queue.sync {} }
        },
        Case("Q5-async", "so does a block that a worker runs", endings: [.deadlock], search: .some) { _ in
            let queue = try WorkQueue("q")
            try queue.async { try queue.sync {} }
            try queue.sync {}
        },
        Case("Q5-two", "so does one that comes back through another queue", endings: [.deadlock]) { _ in
            let (a, b) = (try WorkQueue("a"), try WorkQueue("b"))
            try a.sync { try b.sync { try a.sync {} } }
        },
        Case("Q5-target", "so does one that waits for the target of its queue", endings: [.deadlock]) { _ in
            let target = try WorkQueue("target")
            let queue = try WorkQueue("q", target: target)
            try queue.sync { try target.sync {} }
        },
        Case("Q6", "blocks of a concurrent queue may overlap", search: .some) { _ in
            let queue = try WorkQueue("q", width: 2)
            let meeting = try Barrier(parties: 2)
            for _ in 0..<2 { try queue.async { try meeting.wait() } }
            try queue.sync(flags: .barrier) {}
        },
        Case(
            "Q6-width", "no more blocks run at once than the queue is wide", endings: [.deadlock], search: .some
        ) { _ in
            let queue = try WorkQueue("q", width: 2)
            let meeting = try Barrier(parties: 3)
            for _ in 0..<3 { try queue.async { try meeting.wait() } }
            try queue.sync(flags: .barrier) {}
        },
        Case("Q7", "a barrier runs alone, after the blocks before it and before those behind it", search: .some) { _ in
            let queue = try WorkQueue("q", width: 2)
            let count = Shared(nil, 0)
            let seen = try (1...2).map { _ in try Plain<Int>(queue.sync { try count.read() }) }
            try queue.async { seen[0].value = try count.read() }
            try queue.async(flags: .barrier) { try count.write(count.read() + 1) }
            try queue.async { seen[1].value = try count.read() }
            try queue.sync(flags: .barrier) {}
            try expect(seen[0].value == 0 && seen[1].value == 1)
        },
        Case("Q7-sync", "so does one of sync", search: .some) { _ in
            let queue = try WorkQueue("q", width: 2)
            let count = Shared(nil, 0)
            try queue.async(flags: .barrier) { try count.write(1) }
            try queue.sync(flags: .barrier) { try count.write(count.read() + 1) }
            try expect(queue.sync { try count.read() } == 2)
        },
        Case("Q7-itself", "a barrier that waits for its own queue waits forever", endings: [.deadlock]) { _ in
            let queue = try WorkQueue("q", width: 2)
            try queue.sync(flags: .barrier) { try queue.sync {} }
        },
        Case("Q7-inside", "a block of a concurrent queue that waits for a barrier waits forever", endings: [.deadlock])
        {
            _ in
            let queue = try WorkQueue("q", width: 2)
            try queue.sync { try queue.sync(flags: .barrier) {} }
        },
        Case("Q8", "queues with the same serial target take turns", search: .some) { _ in
            let target = try WorkQueue("target")
            let queues = try (0..<2).map { _ in try WorkQueue(target: target) }
            let count = Shared(nil, 0)
            for queue in queues { try queue.async { try count.write(count.read() + 1) } }
            try expect(target.sync { try count.read() } == 2)
        },
        Case("Q8-concurrent", "serial queues with a concurrent target do not", search: .some) { _ in
            let target = try WorkQueue("target", width: 2)
            let meeting = try Barrier(parties: 2)
            let queues = try (0..<2).map { _ in try WorkQueue(target: target) }
            for queue in queues { try queue.async { try meeting.wait() } }
            for queue in queues { try queue.sync {} }
        },
        Case("Q9", "a suspended queue begins no block until it is resumed", search: .some) { _ in
            let queue = try WorkQueue("q")
            let isResumed = Atomic(nil, false)
            try queue.suspend()
            try queue.async { try expect(isResumed.load()) }
            try isResumed.store(true)
            try queue.resume()
            try queue.sync {}
        },
        Case("Q9-running", "a block that runs when its queue is suspended continues", search: .some) { _ in
            let queue = try WorkQueue("q")
            let (isRunning, isSuspended) = (try Latch(count: 1), try Latch(count: 1))
            let hasEnded = try Latch(count: 1)
            try queue.async {
                try isRunning.countDown()
                try isSuspended.wait()
                try hasEnded.countDown()
            }
            try isRunning.wait()
            try queue.suspend()
            try isSuspended.countDown()
            try hasEnded.wait()
        },
        Case("Q9-twice", "a queue that was suspended twice must be resumed twice", endings: [.deadlock], search: .some)
        {
            _ in
            let queue = try WorkQueue("q")
            for _ in 0..<2 { try queue.suspend() }
            try queue.async {}
            try queue.resume()
            try queue.sync {}
        },
        Case("Q9-target", "a suspended queue does not keep its target waiting", search: .some) { _ in
            let target = try WorkQueue("target")
            let queue = try WorkQueue("q", target: target)
            let isResumed = Atomic(nil, false)
            try queue.suspend()
            try queue.async { try expect(isResumed.load()) }
            try target.sync {}
            try isResumed.store(true)
            try queue.resume()
            try queue.sync {}
        },
        Case("Q9-target-later", "a queue that is suspended lets those pass that wait for its blocks", search: .some) {
            _ in
            let target = try WorkQueue("target")
            let queue = try WorkQueue("q", target: target)
            let (isOpen, isResumed) = (try Latch(count: 1), Atomic(nil, false))
            try target.async { try isOpen.wait() }
            try queue.async { try expect(isResumed.load()) }
            // The block of `target` runs, or is before that of `queue`, which cannot have begun.
            let waiting = try Thread { try target.sync {} }
            try queue.suspend()
            try isOpen.countDown()
            try waiting.join()
            try isResumed.store(true)
            try queue.resume()
            try queue.sync {}
        },
        Case(
            "Q9-together", "a block that suspends its queue is the last, also of blocks that were queued together",
            search: .some
        ) { _ in
            let queue = try WorkQueue("q")
            let order = Plain<[Int]>([])
            let (isSuspended, isResumed) = (try Latch(count: 1), Atomic(nil, false))
            try queue.suspend()
            try queue.async { order.value.append(1) }
            try queue.async {
                order.value.append(2)
                try queue.suspend()
                try isSuspended.countDown()
            }
            for number in 3...4 {
                try queue.async {
                    try expect(isResumed.load())
                    order.value.append(number)
                }
            }
            try queue.resume()
            try isSuspended.wait()
            try isResumed.store(true)
            try queue.resume()
            try queue.async { order.value.append(5) }
            let found = try queue.sync { order.value }
            try expect(found == [1, 2, 3, 4, 5])
        },
        Case("Q9-resume", "a queue that is not suspended cannot be resumed") { _ in
            let queue = try WorkQueue("q")
            try expectMisuse("invalid-value") { try queue.resume() }
        },
        Case("Q10", "code can require that its caller runs on a queue, or on one that targets it") { _ in
            let target = try WorkQueue("target")
            let (queue, other) = (try WorkQueue("q", target: target), try WorkQueue("other"))
            try queue.sync {
                try precondition(onQueue: queue)
                try precondition(onQueue: target)
                try expectMisuse("wrong-queue") { try precondition(onQueue: other) }
                try other.sync { try precondition(onQueue: queue) }
            }
            try expectMisuse("wrong-queue") { try precondition(onQueue: queue) }
        },
        Case("Q11", "a block finds the data of its queue, or of its target, and not of a queue behind it") { _ in
            let (mine, shared) = (WorkQueue.SpecificKey<Int>(), WorkQueue.SpecificKey<Int>())
            let target = try WorkQueue("target")
            let (queue, other) = (try WorkQueue("q", target: target), try WorkQueue("other"))
            queue.setSpecific(mine, 1)
            target.setSpecific(shared, 2)
            try expect(WorkQueue.getSpecific(mine) == nil && queue.getSpecific(mine) == 1)
            try queue.sync {
                try expect(WorkQueue.getSpecific(mine) == 1 && WorkQueue.getSpecific(shared) == 2)
                try other.sync { try expect(WorkQueue.getSpecific(mine) == nil) }
            }
        },
        Case(
            "Q12", "if all threads of a pool wait for a later block, none can continue", endings: [.deadlock],
            search: .some
        ) { _ in
            let pool = try WorkerPool(threads: 1)
            let (a, b) = (try WorkQueue("a", pool: pool), try WorkQueue("b", pool: pool))
            let isDone = try Latch(count: 1)
            try a.async { try isDone.wait() }
            try b.async { try isDone.countDown() }
            try isDone.wait()
            try a.sync {}
        },
        Case("Q12-more", "with another thread they can", search: .some) { _ in
            let pool = try WorkerPool(threads: 2)
            let (a, b) = (try WorkQueue("a", pool: pool), try WorkQueue("b", pool: pool))
            let isDone = try Latch(count: 1)
            try a.async { try isDone.wait() }
            try b.async { try isDone.countDown() }
            try a.sync {}
        },
        Case("Q13", "an error that leaves a block ends the run", endings: [.error], search: .some) { _ in
            let queue = try WorkQueue("q")
            try queue.async { throw Failure() }
            try Latch(count: 1).wait()
        },
        Case("Q13-exit", "a block that leaves by exit is over, and its worker runs the next one", search: .some) { _ in
            let queue = try WorkQueue("q")
            let count = Shared(nil, 0)
            try queue.async { try Thread.exit() }
            try queue.async { try count.write(1) }
            try expect(queue.sync { try count.read() } == 1)
        },
        Case("Q14", "workers do not keep the process alive, and end when nothing is left to do", search: .some) { _ in
            let queue = try WorkQueue("q")
            try queue.async {}
            try Thread.exit()
        },
        Case("Q15", "a width of less than 1, a target and a pool together, and a pool of no threads are refused") { _ in
            let (queue, pool) = (try WorkQueue("q"), try WorkerPool(threads: 1))
            try expectMisuse("invalid-value") { _ = try WorkQueue(width: 0) }
            try expectMisuse("invalid-value") { _ = try WorkQueue(target: queue, pool: pool) }
            try expectMisuse("invalid-value") { _ = try WorkerPool(threads: 0) }
        },
        Case("Q16", "a wait that ends without a signal lets no block pass another", search: .some, spuriousWakeups: 1) {
            _ in
            let queue = try WorkQueue("q")
            let order = Plain<[Int]>([])
            for number in 1...2 { try queue.async { order.value.append(number) } }
            try expect(queue.sync { order.value } == [1, 2])
        },
        Case("U14", "blocks of the main queue run in order on the main thread, when that runs its loop", search: .some)
        {
            _ in
            let queue = try WorkQueue.main
            let order = Plain<[Int]>([])
            let thread = try Thread {
                for number in 1...2 {
                    try queue.async {
                        try expect(Thread.current.isMain)
                        order.value.append(number)
                    }
                }
            }
            try RunLoop.current.add(InputSource("keeps the loop running") {})
            while order.value.count < 2 { try RunLoop.current.run() }
            try thread.join()
            try expect(order.value == [1, 2])
        },
        Case("U14-sync", "sync of the main queue waits until the main thread has run the block", search: .some) { _ in
            let queue = try WorkQueue.main
            let loop = RunLoop.current
            let thread = try Thread {
                let isMain = try queue.sync { Thread.current.isMain }
                try expect(isMain)
                try loop.stop()
            }
            try loop.add(InputSource("keeps the loop running") {})
            while try loop.run() != .stopped {}
            try thread.join()
        },
        Case("U14-itself", "sync of the main queue on the main thread waits forever", endings: [.deadlock]) { _ in
            try WorkQueue.main.sync {}
        },
    ]
}
