/// What a word must be to serve as a value: an option's, or a positional's.
///
/// The kind is all there is to know about a value: reading, complaints, help and completion follow from it.
package enum ValueKind: Hashable, Sendable {
    /// No value at all: the option's presence says it.
    case flag
    case integer(ClosedRange<Int>)
    /// Any `UInt64`.
    case seed
    /// A length of time in nanoseconds, written `10s`, `250ms`, `1.5s`.
    case duration(ClosedRange<UInt64>)
    case choice([KnownWord])
    case text
    /// A path. Nobody looks whether there is a file.
    case file
    /// The name of a known scenario, or the path of a scenario's file, which is any word with a slash or a dot in it.
    case scenario
    /// The same, or the path of some other file.
    case scenarioOrFile

    package var takesValue: Bool { self != .flag }

    /// Whether the word can be the scenario of a command line.
    package var canBeScenario: Bool { self == .scenario || self == .scenarioOrFile }
}
