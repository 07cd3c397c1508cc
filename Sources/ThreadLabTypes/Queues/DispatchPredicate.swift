import Execution
import Primitives

extension Lab {
    /// Dispatch's `DispatchPredicate`: what `dispatchPrecondition` demands of the calling thread.
    public enum DispatchPredicate: Sendable {
        /// The thread runs a block of the queue, or of a queue that targets it. For the main queue, being the main
        /// thread is enough.
        case onQueue(DispatchQueue)
        /// The same, and no other block of the queue can run meanwhile.
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

/// Ends the run if the calling thread does not meet the condition: `notOnQueue` with a failed check, the others with
/// the finding `wrong-queue`. Dispatch ends the process.
public func dispatchPrecondition(
    condition: @autoclosure () -> Lab.DispatchPredicate, file: StaticString = #fileID, line: UInt = #line
) {
    must { try condition().check(file, line) }
}
