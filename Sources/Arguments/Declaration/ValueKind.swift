/// The kind of value that a word must be, for an option or a positional.
///
/// Parsing, error messages, help and completion all follow from the kind.
package enum ValueKind: Hashable, Sendable {
    /// No value: the option's presence is the value.
    case flag
    case integer(ClosedRange<Int>)
    /// Any `UInt64`.
    case seed
    /// A duration in nanoseconds, written `10s`, `250ms`, `1.5s`.
    case duration(ClosedRange<UInt64>)
    case choice([KnownWord])
    case text
    /// Any text; words of a vocabulary are offered.
    case word(Vocabulary)
    /// A path. The file need not exist.
    case file
    /// The name of a known scenario, or the path of a scenario's file, which is any word with a slash or a dot in it.
    case scenario
    /// The same, or the path of some other file.
    case scenarioOrFile

    package var takesValue: Bool { self != .flag }

    /// Whether the word can be the scenario of a command line.
    package var canBeScenario: Bool { self == .scenario || self == .scenarioOrFile }
}
