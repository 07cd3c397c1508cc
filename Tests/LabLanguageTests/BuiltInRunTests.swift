import LabProgram
import LabSyntax
import Testing

@Suite struct BuiltInRunTests {
    private static let known = [
        KnownScenario(
            name: "producer-consumer",
            parameters: [
                .init(name: "capacity", form: .integer), .init(name: "pause", form: .duration),
                .init(name: "variant", form: .words(["conditions", "one-condition"])),
            ])
    ]

    private func messages(_ run: String) -> [String] {
        SourceText(name: "x.lab", "scenario \"x\"\nparameter n = 1\n\(run)").read(builtIns: Self.known).diagnostics
            .filter { $0.severity == .error }.map { $0.message + ($0.help.map { " | \($0)" } ?? "") }
    }

    @Test(
        arguments: [
            ("run producer-consumer(capacity: n, pause: 1ms, variant: one-condition)", []),
            ("run producer-consumer", []),
            (
                "run producer-consume(capacity: 1)",
                ["there is no built-in scenario 'producer-consume' | did you mean 'producer-consumer'?"]
            ),
            (
                "run producer-consumer(capacty: 1)",
                ["'producer-consumer' has no parameter 'capacty' | did you mean 'capacity'?"]
            ),
            (
                "run producer-consumer(variant: one-conditon)",
                ["'one-conditon' is not a value of this parameter | did you mean 'one-condition'?"]
            ),
            (
                "run producer-consumer(pause: 3)",
                ["expected a time, found a number | give it a unit, for example 10ms"]
            ),
            ("run producer-consumer(capacity: many)", ["'many' is not a value of this parameter"]),
        ])
    func `what the built-in scenario does not know is an error`(run: String, expected: [String]) {
        #expect(messages(run) == expected)
    }
}
