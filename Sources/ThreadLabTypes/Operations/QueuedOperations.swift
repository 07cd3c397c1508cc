extension Lab {
    /// The unfinished operations of a queue, in the order in which they were added, and the choice of those that can
    /// begin.
    struct QueuedOperations {
        private struct Entry {
            let operation: Operation
            let isBarrier: Bool
            var isReady = false
            var hasBegun = false
        }

        private var entries: [Entry] = []
        /// The maximum number of operations that run at once. Nil: the queue's default, which `takeDue` gets.
        var limit: Int?
        var isSuspended = false

        var unfinished: [Operation] { entries.map(\.operation) }

        mutating func append(_ operation: Operation, isBarrier: Bool) {
            entries.append(Entry(operation: operation, isBarrier: isBarrier))
        }

        mutating func noteReady(_ operation: Operation) {
            if let index = index(of: operation) { entries[index].isReady = true }
        }

        mutating func remove(_ operation: Operation) {
            if let index = index(of: operation) { entries.remove(at: index) }
        }

        /// Marks as begun, and returns, all operations that can begin now: first those of higher priority, then in the
        /// order in which they were added.
        ///
        /// - Parameter width: the maximum number of operations that run at once, if the queue has no `limit`.
        mutating func takeDue(atMost width: Int) -> [Operation] {
            var due: [Operation] = []
            while let index = next(atMost: limit ?? width) {
                entries[index].hasBegun = true
                due.append(entries[index].operation)
            }
            return due
        }

        /// The index of the operation that begins next. Nil: none can.
        private func next(atMost limit: Int) -> Int? {
            if isSuspended || entries.count(where: \.hasBegun) >= limit { return nil }
            // A barrier can begin when all earlier operations have finished. No later operation begins before it ends.
            let end = entries.firstIndex(where: \.isBarrier) ?? entries.endIndex
            if end == 0, let barrier = entries.first { return barrier.isReady && !barrier.hasBegun ? 0 : nil }
            var best: Int?
            for index in 0..<end where entries[index].isReady && !entries[index].hasBegun {
                let isBetter = best.map { priority(index) > priority($0) } ?? true
                if isBetter { best = index }
            }
            return best
        }

        private func priority(_ index: Int) -> Int { entries[index].operation.queuePriority.rawValue }

        private func index(of operation: Operation) -> Int? {
            entries.firstIndex { $0.operation === operation }
        }
    }
}
