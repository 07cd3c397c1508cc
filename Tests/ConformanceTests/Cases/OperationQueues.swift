import Primitives

extension Case {
    static let operationQueues: [Case] = [
        Case("OQ1", "an operation runs once, and waiting until all are finished sees its work", search: .some) { _ in
            let queue = try OperationQueue("q", maxConcurrentOperationCount: 1)
            let count = Shared(nil, 0)
            try queue.addOperation { try count.write(count.read() + 1) }
            try queue.waitUntilAllOperationsAreFinished()
            try expect(count.read() == 1)
            try expect(queue.operationCount() == 0)
        },
        Case("OQ2", "no more operations run at once than the limit", endings: [.deadlock], search: .some) { _ in
            let queue = try OperationQueue("q", maxConcurrentOperationCount: 2)
            let meeting = try Barrier(parties: 3)
            for _ in 0..<3 { try queue.addOperation { try meeting.wait() } }
            try queue.waitUntilAllOperationsAreFinished()
        },
        Case("OQ2-together", "as many as the limit do", search: .some) { _ in
            let queue = try OperationQueue("q", maxConcurrentOperationCount: 2)
            let meeting = try Barrier(parties: 2)
            for _ in 0..<2 { try queue.addOperation { try meeting.wait() } }
            try queue.waitUntilAllOperationsAreFinished()
        },
        Case(
            "OQ3", "an operation runs after those that it depends on, in whatever order they were added", search: .some
        ) {
            _ in
            let queue = try OperationQueue("q", maxConcurrentOperationCount: 2)
            let count = Shared(nil, 0)
            let first = BlockOperation("first") { _ in try count.write(1) }
            let second = BlockOperation("second") { _ in try expect(count.read() == 1) }
            try second.addDependency(on: first)
            try queue.addOperation(second)
            try queue.addOperation(first)
            try queue.waitUntilAllOperationsAreFinished()
        },
        Case("OQ3-queues", "also if that is in another queue, or has finished already", search: .some) { _ in
            let queues = try (0..<2).map { _ in try OperationQueue(maxConcurrentOperationCount: 1) }
            let first = BlockOperation("first") { _ in }
            let second = BlockOperation("second") { _ in try expect(first.isFinished()) }
            let third = BlockOperation("third") { _ in }
            try second.addDependency(on: first)
            try queues[0].addOperation(second)
            try queues[1].addOperation(first)
            try first.waitUntilFinished()
            try third.addDependency(on: first)
            try queues[0].addOperation(third)
            try queues[0].waitUntilAllOperationsAreFinished()
        },
        Case("OQ3-cycle", "operations that depend on each other never run", endings: [.deadlock]) { _ in
            let queue = try OperationQueue("q", maxConcurrentOperationCount: 1)
            let (a, b) = (BlockOperation("a") { _ in }, BlockOperation("b") { _ in })
            try a.addDependency(on: b)
            try b.addDependency(on: a)
            try queue.addOperation(a)
            try queue.addOperation(b)
            try queue.waitUntilAllOperationsAreFinished()
        },
        Case("OQ4", "an operation that is cancelled before it begins does no work, and finishes", search: .some) { _ in
            let queue = try OperationQueue("q", maxConcurrentOperationCount: 1)
            try queue.suspend()
            let operation = try queue.addOperation { try expect(false, "it has no work") }
            try queue.cancelAllOperations()
            try queue.resume()
            try queue.waitUntilAllOperationsAreFinished()
            try expect(operation.isFinished() && operation.isCancelled())
        },
        Case("OQ4-running", "an operation that is cancelled while it runs continues until it looks", search: .some) {
            _ in
            let queue = try OperationQueue("q", maxConcurrentOperationCount: 1)
            let (isRunning, isCancelled) = (try Latch(count: 1), try Latch(count: 1))
            let operation = BlockOperation { operation in
                try isRunning.countDown()
                try isCancelled.wait()
                try expect(operation.isCancelled())
            }
            try queue.addOperation(operation)
            try isRunning.wait()
            try operation.cancel()
            try isCancelled.countDown()
            try operation.waitUntilFinished()
        },
        Case(
            "OQ5", "what is to follow an operation runs on the same thread, before the operation counts as finished",
            search: .some
        ) { _ in
            let queue = try OperationQueue("q", maxConcurrentOperationCount: 1)
            let count = Shared(nil, 0)
            let operation = BlockOperation("o", completion: { try count.write(count.read() + 1) }) { _ in
                try count.write(1)
            }
            try queue.addOperation(operation)
            try operation.waitUntilFinished()
            try expect(count.read() == 2)
        },
        Case("OQ6", "an operation can be added once, and gets its dependencies before that") { _ in
            let queue = try OperationQueue("q", maxConcurrentOperationCount: 1)
            try queue.suspend()
            let (operation, other) = (BlockOperation { _ in }, BlockOperation { _ in })
            try queue.addOperation(operation)
            try expectMisuse("invalid-value") { try queue.addOperation(operation) }
            try expectMisuse("invalid-value") { try operation.addDependency(on: other) }
            try expectMisuse("invalid-value") { try other.addDependency(on: other) }
        },
        Case("OQ7", "an operation that waits until all are finished waits forever", endings: [.deadlock], search: .some)
        {
            _ in
            let queue = try OperationQueue("q", maxConcurrentOperationCount: 2)
            let operation = try queue.addOperation { try queue.waitUntilAllOperationsAreFinished() }
            try operation.waitUntilFinished()
        },
        Case(
            "OQ8", "a queue names the operations that have not finished, and each says what it waits for", search: .some
        ) { _ in
            let queue = try OperationQueue("q", maxConcurrentOperationCount: 1)
            let (isRunning, mayEnd) = (try Latch(count: 1), try Latch(count: 1))
            let first = BlockOperation("first") { _ in
                try isRunning.countDown()
                try mayEnd.wait()
            }
            let (second, other) = (BlockOperation("second") { _ in }, BlockOperation("other") { _ in })
            try second.addDependency(on: first)
            for operation in [first, second, other] { try queue.addOperation(operation) }
            try isRunning.wait()
            try expect(queue.operations().map(\.name) == ["first", "second", "other"])
            try expect(first.isExecuting() && !second.isExecuting() && !second.isReady() && other.isReady())
            try expect(second.dependencies().map(\.name) == ["first"])
            let summaries = try queue.operations().map { try $0.summary() }
            try expect(summaries == ["first runs", "second waits for first", "other is ready"])
            try mayEnd.countDown()
            try queue.waitUntilAllOperationsAreFinished()
            try expect(queue.operations().isEmpty && first.summary() == "first has finished")
        },
    ]
}
