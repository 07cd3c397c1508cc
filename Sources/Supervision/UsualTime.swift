/// The default times for which commands search or measure, in nanoseconds. Also the defaults of their options.
package enum UsualTime {
    /// For `explore`, `check` of one program, the language server, and the questions of a course.
    package static let search = 10 * second
    /// For the computation between two steps of an execution.
    package static let step = second
    /// For judging a submission. The limits of executions and states decide; this limit protects the machine.
    package static let judging = 20 * second
    /// For the failure that a handout shows, which need not be the only one.
    package static let handout = second
    /// For the rounds of `litmus`, and for each search for what a model allows.
    package static let measuring = 5 * second
    /// For a run.
    package static let run = 10 * second
    /// For a hint of `play`.
    package static let hint = 2 * second

    private static let second: UInt64 = 1_000_000_000
}
