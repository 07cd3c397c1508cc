import Primitives

extension Lab.DispatchQueue {
    /// Calls the block for each number below `iterations`, on the calling thread and some others, and waits until all
    /// calls have returned.
    public static func concurrentPerform(
        iterations: Int, file: StaticString = #fileID, line: UInt = #line, execute work: (Int) -> Void
    ) {
        withoutActuallyEscaping(work) { work in
            let calls = Calls(work)
            defer { calls.work = nil }
            let next = Primitives.Atomic("next iteration", 0, file: file, line: line)
            let done = Lab.DispatchSemaphore(value: 0, file: file, line: line)
            let help: @Sendable () -> Void = {
                while case let number = must(orElse: iterations, { try next.add(1, file: file, line: line) }),
                    number < iterations
                {
                    calls.make(number)
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

    /// A block that threads call until its caller takes it back. A thread that signals that it is done still has what it
    /// runs, for a moment, and must not have the caller's block with it: that one ends with the call.
    private final class Calls: @unchecked Sendable {
        /// Written only when no other thread calls it any longer.
        var work: ((Int) -> Void)?

        init(_ work: @escaping (Int) -> Void) { self.work = work }

        /// Keeps nothing of the block when it returns.
        @inline(never) func make(_ number: Int) { work?(number) }
    }
}
