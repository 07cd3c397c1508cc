import Execution
import LabSyntax
import Machine
import Trace

/// A `.lab` program that runs on its caller's runtime: real threads, or the controlled scheduler.
package struct CompiledProgram: Sendable {
    package let bytecode: Bytecode

    package init(_ bytecode: Bytecode) { self.bytecode = bytecode }

    /// The body of the main thread.
    package func run() throws {
        let runtime = ThreadContext.runtime
        let run = LabRun(bytecode, runtime)
        guard case .controlled(let controlled) = runtime else { return try run.runThread(nil) }
        let driver = controlled.takeUnretainedValue().driver
        run.showState(to: controlled.takeUnretainedValue())
        defer { driver.program = nil }
        try run.runThread(nil)
    }
}
