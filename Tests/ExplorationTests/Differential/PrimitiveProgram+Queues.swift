import Primitives

extension PrimitiveProgram {
    static let queues = [
        Self("a queue that two threads fill") { sight in
            let queue = try WorkQueue("q")
            try together({ try queue.async { sight.saw("t", as: "q") } }) { try queue.sync { sight.saw("u", as: "q") } }
            try queue.sync {}
        },
        Self("two queues, each filled by a thread") { sight in
            let (q, r) = try (WorkQueue("q"), WorkQueue("r"))
            try together({ try q.async { sight.saw("t", as: "q") } }) { try r.async { sight.saw("u", as: "r") } }
            try q.sync {}
            try r.sync {}
        },
        Self("two threads that each make a queue") { sight in
            try together({
                let queue = try WorkQueue("q")
                sight.saw(try queue.sync { 1 }, as: "t")
            }) {
                let queue = try WorkQueue("r")
                sight.saw(try queue.sync { 2 }, as: "u")
            }
        },
        Self("a block that is due when a thread uses the queue") { sight in
            let queue = try WorkQueue("q")
            let due = Instant.now + .milliseconds(1)
            try queue.asyncAfter(deadline: due) { sight.saw("t", as: "q") }
            try Thread.sleep(until: due)
            try queue.sync { sight.saw("u", as: "q") }
        },
        Self("operations that depend on each other") { sight in
            let queue = try OperationQueue("o", maxConcurrentOperationCount: 1)
            let first = BlockOperation("first") { _ in sight.saw("first", as: "o") }
            let second = BlockOperation("second") { _ in sight.saw("second", as: "o") }
            try second.addDependency(on: first)
            try together({ try queue.addOperation(first) }) { try queue.addOperation(second) }
            try queue.waitUntilAllOperationsAreFinished()
        },
    ]
}
