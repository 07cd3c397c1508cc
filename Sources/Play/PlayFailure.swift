import Text

/// Why a step could not be taken: a sentence for the user. The run is still the one before.
struct PlayFailure: Error, CustomStringConvertible {
    let description: String

    init(_ misfit: String) { description = "The program did not repeat what it did before: \(misfit.printableText)." }
}

/// A signal ended the process of a run: the person wants to leave.
package struct PlayInterrupted: Error {
    package init() {}
}
