import Execution
import Exploration
import Machine
import Primitives
import Testing

/// What an execution leaves behind: a search makes millions of them.
@Suite struct EndOfRunTests {
    private final class Witness: Sendable {
        func look() {}
    }

    /// Runs the body once, with a witness for its closures.
    private func isLeftBehind(_ body: @escaping @Sendable (Witness) throws -> Void) -> Bool {
        weak var left: Witness?
        do {
            let witness = Witness()
            left = witness
            var next: Witness? = witness
            let subject = ControlledSubject(Rules()) { [witness = next.take()!] in try body(witness) }
            _ = subject.execute(Replay(Schedule()))
        }
        return left != nil
    }

    @Test func `a handler that refers to its loop is released with the execution`() {
        #expect(
            !isLeftBehind { witness in
                let loop = RunLoop.current
                try loop.add(
                    InputSource {
                        witness.look()
                        try loop.stop()
                    })
                try loop.perform(inModes: ["never"]) { _ = loop.currentMode }
                try loop.run(until: .distantPast)
            })
    }
}
