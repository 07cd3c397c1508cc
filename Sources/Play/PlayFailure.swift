/// Why a session cannot continue: a clause for the user.
package struct PlayFailure: Error, CustomStringConvertible {
    package let description: String

    init(_ misfit: String) { description = "the program did not repeat what it did before: \(misfit)" }
}

/// A signal ended the process of a run: the person wants to leave.
package struct PlayInterrupted: Error {
    package init() {}
}
