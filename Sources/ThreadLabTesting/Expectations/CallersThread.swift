import Execution
import Synchronization

/// Runs an asynchronous function on the calling thread, which waits for it. Swift Testing intercepts issues only around
/// an asynchronous function, and `explore` is synchronous.
final class CallersThread: TaskExecutor {
    private let jobs = Guarded<[UnownedJob]>([])

    /// - Parameters:
    ///   - work: what `run` is to do.
    ///   - scope: the asynchronous function. It must call its argument once, which does the work.
    static func run<Result>(
        _ work: () throws -> Result, in scope: @escaping @Sendable (@Sendable () -> Void) async throws -> Void
    ) throws -> Result {
        try withoutActuallyEscaping(work) { work in
            let call = Call(work)
            let executor = CallersThread()
            call.start(scope, on: executor)
            while !call.isOver.load(ordering: .acquiring) { executor.runNextJob() }
            return try call.result
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    private func runNextJob() {
        let job = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        guard let job else { preconditionFailure("the library for tests continues a test's scope on another thread") }
        job.runSynchronously(on: asUnownedTaskExecutor())
    }

    /// The work and its result. Only the calling thread uses them, because all jobs of the scope run on it.
    private final class Call<Result>: @unchecked Sendable {
        private let work: () throws -> Result
        private var outcome: Swift.Result<Result, any Error>?
        let isOver = Atomic(false)

        init(_ work: @escaping () throws -> Result) { self.work = work }

        var result: Result {
            get throws {
                guard let outcome else { preconditionFailure("the library for tests has not run a test's scope") }
                return try outcome.get()
            }
        }

        func start(
            _ scope: @escaping @Sendable (@Sendable () -> Void) async throws -> Void, on executor: CallersThread
        ) {
            Task(executorPreference: executor) {
                do {
                    try await scope { self.outcome = Swift.Result { try self.work() } }
                } catch {
                    self.outcome = .failure(error)
                }
                self.isOver.store(true, ordering: .releasing)
            }
        }
    }
}
