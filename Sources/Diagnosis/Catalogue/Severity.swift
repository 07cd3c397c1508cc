/// How bad a finding is.
package enum Severity: String, CaseIterable, Sendable {
    /// Something is wrong, and the run shows it.
    case fault
    /// The program has a weakness, though this run may have ended well.
    case warning
    /// For information; nothing is wrong.
    case note
}
