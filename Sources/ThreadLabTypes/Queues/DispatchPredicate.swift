import Execution
import Primitives

extension Lab {
    /// Dispatch's `DispatchPredicate`: what `dispatchPrecondition` asks of the calling thread.
    public enum DispatchPredicate: Sendable {
        /// It runs a block of the queue, or of one that targets it. The main thread always does of the main queue.
        case onQueue(DispatchQueue)
        /// The same, and the block runs alone.
        case onQueueAsBarrier(DispatchQueue)
        case notOnQueue(DispatchQueue)

        fileprivate func check(_ file: StaticString, _ line: UInt) throws {
            switch self {
            case .onQueue(let queue):
                if !queue.base.isOfCaller { throw Misuse.recorded(.wrongQueue, file: file, line: line) }
            case .onQueueAsBarrier(let queue):
                if !queue.base.isOfCallerAlone { throw Misuse.recorded(.wrongQueue, file: file, line: line) }
            case .notOnQueue(let queue):
                try Primitives.check(
                    !queue.base.isOfCaller, "a block of '\(queue.label)' runs code that its blocks must not run",
                    file: file, line: line)
            }
        }
    }
}

/// Ends the run if the calling thread is not where the code belongs: with the finding `wrong-queue`, or as a failed
/// check. Dispatch ends the process.
public func dispatchPrecondition(
    condition: @autoclosure () -> Lab.DispatchPredicate, file: StaticString = #fileID, line: UInt = #line
) {
    must { try condition().check(file, line) }
}
