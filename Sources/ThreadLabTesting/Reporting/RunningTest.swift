import Testing

/// The test that is calling the library.
enum RunningTest {
    /// A regular expression that selects the test in `swift test --filter`. Nil: no test is running.
    static func filter(at place: CallPlace) -> String? {
        guard let test = Test.current else {
            return isOfXCTest ? pattern(for: "\(place.function)".prefix { $0 != "(" }) : nil
        }
        // The last part of the identity is a source location, which may change.
        let parts = "\(test.id)".split(separator: "/")
        let name = parts.last?.contains(":") == true ? parts.dropLast() : parts[...]
        return pattern(for: name.joined(separator: "/"))
    }

    /// The name of a file about the test: `depositsAdd-trace.txt`.
    static func fileName(_ name: String) -> String {
        guard let test = Test.current else { return name }
        let words = test.name.prefix { $0 != "(" }.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }
        return (words.map(String.init) + [name]).joined(separator: "-")
    }

    /// Whether this process runs tests of XCTest, which does not tell whether one of them is running.
    static var isOfXCTest: Bool { CommandLine.arguments.first?.hasSuffix(".xctest") ?? false }

    /// A regular expression that matches the text, and contains no single quote, so that a shell command can quote it.
    private static func pattern(for text: some StringProtocol) -> String {
        text.map { character in
            if character.isLetter || character.isNumber || "/_ `".contains(character) { return "\(character)" }
            return character == "'" ? "." : "\\\(character)"
        }.joined()
    }
}
