import Primitives

extension Lab.DispatchQueue {
    /// Calls the block for each number below `iterations`, on the calling thread and some others, and waits until all
    /// calls have returned.
    public static func concurrentPerform(
        iterations: Int, file: StaticString = #fileID, line: UInt = #line, execute work: (Int) -> Void
    ) {
        withoutActuallyEscaping(work) { work in
            // The calls are over when this function returns; the threads that made them are perhaps not.
            let calls = Calls(work)
            defer { calls.work = nil }
            let next = Primitives.Atomic("next iteration", 0, file: file, line: line)
            let done = Lab.DispatchSemaphore(value: 0, file: file, line: line)
            let help: @Sendable () -> Void = {
                while case let number = must(orElse: iterations, { try next.add(1, file: file, line: line) }), number < iterations {
                    calls.work?(number)
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

    /// Threads read it before they say that they are done, and it is changed afterwards.
    private final class Calls: @unchecked Sendable {
        var work: ((Int) -> Void)?

        init(_ work: @escaping (Int) -> Void) { self.work = work }
    }
}
