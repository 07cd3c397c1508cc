import Primitives

extension Lab.DispatchQueue {
    /// Calls the block for each number below `iterations`, on the calling thread and some others, and waits until all
    /// calls have returned.
    public static func concurrentPerform(
        iterations: Int, file: StaticString = #fileID, line: UInt = #line, execute work: (Int) -> Void
    ) {
        withoutActuallyEscaping(work) { work in
            // The calls are over when this function returns.
            nonisolated(unsafe) let work = work
            let next = Primitives.Atomic("next iteration", 0, file: file, line: line)
            let done = Lab.DispatchSemaphore(value: 0, file: file, line: line)
            let help: @Sendable () -> Void = {
                while case let number = must({ try next.add(1, file: file, line: line) }), number < iterations {
                    work(number)
                }
            }
            let helpers = max(0, min(iterations, width) - 1)
            for _ in 0..<helpers {
                must {
                    try Primitives.Thread.detach("iterations", file: file, line: line) {
                        help()
                        done.signal(file: file, line: line)
                    }
                }
            }
            help()
            for _ in 0..<helpers { done.wait(file: file, line: line) }
        }
    }
}
