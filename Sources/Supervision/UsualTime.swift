/// How long commands search or measure if they are not told otherwise, in nanoseconds: the defaults of their options, too.
package enum UsualTime {
    /// `explore`, `check` of one program, the language server, and the questions of a course.
    package static let search = 10 * second
    /// The computation between two steps of an execution.
    package static let step = second
    /// A submission. The limits of executions and states decide; this one protects the machine.
    package static let judging = 20 * second
    /// A handout's failure: it is shown, and need not be the only one.
    package static let handout = second
    /// The rounds of `litmus`, and each search for what a model allows.
    package static let measuring = 5 * second
    /// A run.
    package static let run = 10 * second
    /// A hint of `play`.
    package static let hint = 2 * second

    private static let second: UInt64 = 1_000_000_000
}
