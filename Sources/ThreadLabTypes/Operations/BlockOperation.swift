import Primitives

extension Lab {
    /// Foundation's `BlockOperation`. Its blocks run at the same time, and it has finished when all of them have.
    open class BlockOperation: Operation, @unchecked Sendable {
        /// The blocks, in the order of their addition.
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

        /// Adds a block. The operation must not have begun.
        @preconcurrency
        open func addExecutionBlock(_ block: @escaping @Sendable () -> Void) { executionBlocks.append(block) }

        /// Runs the first block on this thread, and each other one on a separate thread.
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
