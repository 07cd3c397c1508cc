import Primitives

extension Lab {
    /// Foundation's `BlockOperation`: it has finished when all of its blocks have. They run at the same time.
    open class BlockOperation: Operation, @unchecked Sendable {
        /// In the order in which they were added.
        open private(set) var executionBlocks: [@Sendable () -> Void] = []

        @_disfavoredOverload
        public override init() { super.init(file: #fileID, line: #line) }

        public override init(file: StaticString = #fileID, line: UInt = #line) { super.init(file: file, line: line) }

        @preconcurrency
        public convenience init(
            file: StaticString = #fileID, line: UInt = #line, block: @escaping @Sendable () -> Void
        ) {
            self.init(file: file, line: line)
            executionBlocks = [block]
        }

        /// Adds a block, before the operation begins.
        @preconcurrency
        open func addExecutionBlock(_ block: @escaping @Sendable () -> Void) { executionBlocks.append(block) }

        /// Runs the blocks: the first on this thread, the others on threads of their own.
        open override func main() {
            guard let first = executionBlocks.first else { return }
            let others = executionBlocks.dropFirst()
            let done = DispatchSemaphore(value: 0)
            for block in others {
                must {
                    try Primitives.Thread.detach("block") {
                        block()
                        done.signal()
                    }
                }
            }
            first()
            for _ in others { done.wait() }
        }
    }
}
