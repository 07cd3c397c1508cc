import Authoring
import Exploration
import Supervision
import Trace

/// What a session runs, and how.
package struct PlayedProgram {
    /// Nil: only the trace is there, and its order cannot be changed.
    package var plan: RunPlan?
    /// The program's name, as the user typed it: it appears in commands to paste.
    package var tool: String
    /// The time for a hint, in nanoseconds.
    package var hintTime: UInt64 = 2_000_000_000
    /// The text of a line of source.
    package var source: @Sendable (TraceDocument.Site) -> String? = { _ in nil }

    /// All lines of a source file, with their indentation. Empty: they are not known.
    package var lines: @Sendable (_ file: String) -> [Substring] = { _ in [] }

    package init(_ plan: RunPlan?, tool: String) {
        self.plan = plan
        self.tool = tool
    }
}
