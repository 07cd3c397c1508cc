import Machine
import Trace

/// One execution of a program under the scheduler, whose events are recorded.
package protocol RecordedExecution: AnyObject {
    var driver: Driver { get }
    /// The files that the program has written.
    var records: any RecordStorage { get }
    /// Runs the execution, from its first step to its end.
    func run() -> Verdict
    func name(of thread: ThreadID) -> String
    /// Records what the next step of each thread would do, when an execution pauses.
    func recordNextSteps()
}

/// A recorded execution of a body of Swift code.
package final class FiberExecution: RecordedExecution {
    package let runtime: ControlledRuntime
    private let body: () throws -> Void

    package init(_ runtime: ControlledRuntime, body: @escaping () throws -> Void) {
        self.runtime = runtime
        self.body = body
    }

    package var driver: Driver { runtime.driver }
    package var records: any RecordStorage { runtime.records }
    package func run() -> Verdict { runtime.run(body) }
    package func name(of thread: ThreadID) -> String { runtime.name(of: thread) }
    package func recordNextSteps() { runtime.recordNextSteps() }
}
