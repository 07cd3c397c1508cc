import Trace

/// A configured program that can be run: a scenario that is written in Swift, or a `.lab` file.
package protocol Runnable: Sendable {
    /// What the command line calls it: a scenario's name, a file's path.
    var name: String { get }
    /// What a sentence about its expectation calls it.
    var label: String { get }
    var parameters: [ParameterDescription] { get }
    /// The present values by name, in the order of declaration.
    var arguments: [(name: String, value: String)] { get }
    /// The section of the guide that treats it.
    var guide: String? { get }
    /// How its runs may end.
    var expectation: Expectation { get }
    /// States that some run must end in, each as the text of a `state.seen` event.
    var soughtStates: [String] { get }

    /// The body of the main thread.
    func run() throws

    /// Looks at what the process left behind, after it has ended.
    func review(_ remains: Remains) throws
}

extension Runnable {
    package var soughtStates: [String] { [] }

    /// Whether a run that went well, with locks taken in different orders, ends in `lock-order`: only if it says so.
    package var judgesLockOrder: Bool { expectation.allowed.contains(.lockOrder) }
}
