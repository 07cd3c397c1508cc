import Authoring
import Scenarios

/// A scenario defined in a test.
struct Program: Runnable {
    var expectation = Expectation.completes
    var leavesNothing = false
    let body: @Sendable () throws -> Void

    init(_ expectation: Expectation = .completes, _ body: @escaping @Sendable () throws -> Void) {
        self.expectation = expectation
        self.body = body
    }

    var name: String { "program" }
    var label: String { "program" }
    var parameters: [ParameterDescription] { [] }
    var arguments: [(name: String, value: String)] { [] }
    var guide: String? { nil }

    func run() throws { try body() }
    func review(_ remains: Remains) throws {}
}
