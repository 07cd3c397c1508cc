import LabExecution
import LabProgram
import LabSyntax
import Machine
import Testing

/// A `.lab` program of a test.
struct TestProgram {
    let bytecode: Bytecode

    /// - Parameter text: without the first line.
    init(_ text: String) throws { try self.init(whole: "scenario \"test\"\n" + text) }

    init(whole text: String, _ arguments: [Int]? = nil) throws {
        let reading = SourceText(name: "test.lab", text).read()
        let program = try #require(reading.program, "\(reading.diagnostics.map(\.message))")
        bytecode = try program.compiled(with: arguments)
    }

    func engine(_ rules: Rules = Rules()) -> Engine { Engine(bytecode, rules: rules) }
}
