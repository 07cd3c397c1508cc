import LabLanguage
import Machine
import Testing

/// A `.lab` program of a test, without its first line.
struct TestProgram {
    let bytecode: Bytecode

    init(_ text: String) throws {
        let reading = SourceText(name: "test.lab", "scenario \"test\"\n" + text).read()
        let program = try #require(reading.program, "\(reading.diagnostics.map(\.message))")
        bytecode = try program.compiled()
    }

    func engine(_ rules: Rules = Rules()) -> Engine { Engine(bytecode, rules: rules) }
}
