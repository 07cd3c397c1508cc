import Execution
import Histories
import LabProgram
import LabSyntax
import Trace

/// A program's specification, compiled for the program's parameters.
struct CompiledSpecification {
    let bytecode: Bytecode
    /// By the number of a function of the program: the thread of the specification that calls its counterpart (see
    /// `Specification.threads`).
    let threads: [Int: Int]
}

extension Program.Specification {
    func compiled(with arguments: [Int]?) throws(Diagnostic) -> CompiledSpecification {
        CompiledSpecification(bytecode: try program.compiled(with: arguments), threads: threads)
    }
}

/// Judges the calls that a run has recorded.
extension Bytecode {
    /// Whether the recorded calls are linearizable with regard to the specification, as the value of the claim: 1 or 0.
    ///
    /// - Parameter shared: the run's shared words.
    /// - Throws: `AssertionFailed`, if there are too many calls.
    func judgeCalls(_ shared: UnsafePointer<Int>) throws -> Int {
        guard let callLogs, let specification else { return 1 }
        let history = callLogs.history(shared)
        let count = history.places.count
        if count > CallLogs.Calls.mostCalls {
            throw AssertionFailed(
                "there are \(count) calls, and at most \(CallLogs.Calls.mostCalls) can be linearized", at: .unknown)
        }
        let model = SpecificationModel(specification.bytecode, specification.threads)
        return history.legalOrder(model) == nil ? 0 : 1
    }

    /// Lines that say what the calls returned, and what they should have returned. Empty if the calls are linearizable.
    func reportOfCalls(_ shared: UnsafePointer<Int>) -> [String] {
        guard let callLogs, let specification else { return [] }
        let history = callLogs.history(shared)
        guard history.places.count <= CallLogs.Calls.mostCalls else { return [] }
        let model = SpecificationModel(specification.bytecode, specification.threads)
        if history.legalOrder(model) != nil { return [] }
        let names = callLogs.logs.map(\.name)
        let table = HistoryTable(history, names: names, operation: text(of:), answer: text(of:answer:))
        let report = OrderReport(
            history, history.nearestLegalOrder(model), .linearizability, names: names, operation: text(of:),
            answer: text(of:answer:))
        return table.lines + report.lines
    }

    private func text(of call: FunctionCall) -> String {
        let function = program.functions[call.function]
        let arguments = zip(function.parameters, call.arguments).map { $0.type.text(of: $1) }
        return "\(function.name)(\(arguments.joined(separator: ", ")))"
    }

    /// The result of a call as text. Empty if the function returns nothing.
    private func text(of call: FunctionCall, answer: FunctionAnswer) -> String {
        switch answer {
        case .value(let value): program.functions[call.function].result?.text(of: value) ?? ""
        case .failed(let reason): "no value: \(reason)"
        }
    }
}
