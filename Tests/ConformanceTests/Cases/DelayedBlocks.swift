import Primitives

extension Case {
    static let delayedBlocks: [Case] = [
        Case("Q17", "a block of asyncAfter is queued when its time has come, and not before", search: .some) { _ in
            let queue = try WorkQueue("q")
            let due = Instant.now + .milliseconds(5)
            let hasRun = try Latch(count: 1)
            let began = Shared(nil, 0)
            try queue.asyncAfter(deadline: due) {
                try expect(Instant.now >= due)
                try began.write(1)
                try hasRun.countDown()
            }
            try queue.sync {}
            try hasRun.wait()
            try expect(began.read() == 1)
        },
        Case(
            "Q17-exact", "in virtual time it begins at that nanosecond", search: .some, runsOnRealThreads: false
        ) { _ in
            let queue = try WorkQueue("q")
            let hasRun = try Latch(count: 3)
            for nanoseconds in [7, 1, 1_000_003] {
                let due = Instant.now + .nanoseconds(nanoseconds)
                try queue.asyncAfter(deadline: due) {
                    try expect(Instant.now == due)
                    try hasRun.countDown()
                }
            }
            try hasRun.wait()
        },
        Case(
            "Q17-order", "blocks run in the order in which they are due, and then as they came", search: .some,
            runsOnRealThreads: false
        ) { _ in
            let queue = try WorkQueue("q")
            let order = Plain<[Int]>([])
            let haveRun = try Latch(count: 4)
            let now = Instant.now
            for (number, delay) in [(3, 9), (1, 3), (4, 9), (2, 6)] {
                try queue.asyncAfter(deadline: now + .milliseconds(delay)) {
                    order.value.append(number)
                    try haveRun.countDown()
                }
            }
            try haveRun.wait()
            try expect(queue.sync { order.value } == [1, 2, 3, 4])
        },
        Case("Q17-behind", "a block that is due waits for the blocks that were queued before", search: .some) { _ in
            let queue = try WorkQueue("q")
            let order = Plain<[Int]>([])
            let haveRun = try Latch(count: 2)
            try queue.async {
                try Thread.sleep(for: .milliseconds(5))
                order.value.append(1)
                try haveRun.countDown()
            }
            try queue.asyncAfter(deadline: .now + .milliseconds(1)) {
                order.value.append(2)
                try haveRun.countDown()
            }
            try haveRun.wait()
            try expect(queue.sync { order.value } == [1, 2])
        },
        Case(
            "Q17-queued", "from its time on a sync does not overtake it, though no thread is free for it",
            search: .some, runsOnRealThreads: false
        ) { _ in
            let pool = try WorkerPool(threads: 1)
            let (busy, queue) = (try WorkQueue("busy", pool: pool), try WorkQueue("q", pool: pool))
            let order = Plain<[Int]>([])
            try busy.async { try Thread.sleep(for: .milliseconds(9)) }
            try queue.asyncAfter(deadline: .now + .milliseconds(3)) { order.value.append(1) }
            try Thread.sleep(for: .milliseconds(6))
            try queue.sync { order.value.append(2) }
            try expect(order.value == [1, 2])
        },
        Case("Q17-past", "a block whose time has passed is queued at once", search: .some) { _ in
            let queue = try WorkQueue("q")
            let order = Plain<[Int]>([])
            try queue.asyncAfter(deadline: .distantPast) { order.value.append(1) }
            try queue.async { order.value.append(2) }
            try expect(queue.sync { order.value } == [1, 2])
        },
        Case("Q17-never", "a block whose time never comes does not run, and no thread waits for it") { _ in
            let queue = try WorkQueue("q")
            try queue.asyncAfter(deadline: .distantFuture) { try expect(false) }
            try queue.sync {}
        },
        Case("Q17-end", "blocks that are not yet due do not keep the process alive", search: .some) { _ in
            let queue = try WorkQueue("q")
            try queue.asyncAfter(deadline: .now + .seconds(100)) { try expect(false) }
            try queue.async {}
        },
        Case("Q17-main", "a delayed block of the main queue runs on the main thread", search: .some) { _ in
            let queue = try WorkQueue.main
            let due = Instant.now + .milliseconds(2)
            let hasRun = Plain(false)
            try queue.asyncAfter(deadline: due) {
                try expect(Thread.current.isMain && Instant.now >= due)
                hasRun.value = true
            }
            try RunLoop.current.add(InputSource("keeps the loop running") {})
            while !hasRun.value { try RunLoop.current.run() }
        },
        Case("Q18", "a block for which no thread can be created is refused, and never runs", search: .some) { _ in
            try Thread.setLimit(1)
            let queue = try WorkQueue("q")
            try expectNoThread { try queue.async { try expect(false) } }
            try expectNoThread { try queue.asyncAfter(deadline: .now + .milliseconds(1)) { try expect(false) } }
            try Thread.setLimit(2)
            let order = Plain<[Int]>([])
            try queue.async { order.value.append(1) }
            try expect(queue.sync { order.value } == [1])
        },
        Case(
            "Q18-resume", "a queue for whose blocks no thread can be created stays suspended", search: .some,
            runsOnRealThreads: false
        ) { _ in
            try Thread.setLimit(2)
            let queue = try WorkQueue("q")
            let order = Plain<[Int]>([])
            try queue.suspend()
            try queue.async { order.value.append(1) }
            // By then the worker, which found nothing to do, has ended.
            try Thread.sleep(for: .seconds(10))
            let isOver = try Latch(count: 1)
            let thread = try Thread { try isOver.wait() }
            try expectNoThread { try queue.resume() }
            try isOver.countDown()
            try thread.join()
            try queue.resume()
            try expect(queue.sync { order.value } == [1])
        },
        Case("Q19", "the threads of a pool have its priority", search: .some) { _ in
            let queue = try WorkQueue(pool: WorkerPool(threads: 1, priority: 7))
            let hasRun = try Latch(count: 1)
            try queue.async {
                try expect(Thread.priority == 7)
                try hasRun.countDown()
            }
            try hasRun.wait()
            try expectMisuse("invalid-value") { _ = try WorkerPool(threads: 1, priority: 32) }
        },
    ]
}

/// The call must fail for want of a thread (`EAGAIN`).
func expectNoThread(file: StaticString = #fileID, line: UInt = #line, _ call: () throws -> Void) throws {
    do {
        try call()
    } catch let failure as ThreadCreationFailed {
        return try expect(failure.code == 11, "the code is \(failure.code)", file: file, line: line)
    }
    try expect(false, "no thread can be created", file: file, line: line)
}
