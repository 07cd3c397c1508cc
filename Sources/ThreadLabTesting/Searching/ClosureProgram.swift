import Authoring
import Trace

/// A test's closure as something that can be run.
///
/// The closure need not be sendable: its threads are fibers of one thread, or it is the test's concern.
struct ClosureProgram: Runnable, @unchecked Sendable {
    let expectation: Expectation
    private let body: () throws -> Void

    /// - Parameter expected: how some execution must end. If that is not `completed`, other executions may complete.
    init(_ expected: OutcomeKind, _ body: @escaping () throws -> Void) {
        expectation = expected == .completed ? .completes : .may(expected)
        self.body = body
    }

    var name: String { "the closure" }
    var label: String { "the closure" }
    var parameters: [ParameterDescription] { [] }
    var arguments: [(name: String, value: String)] { [] }
    var guide: String? { nil }
    func run() throws { try body() }
    func review(_ remains: Remains) throws {}
}
