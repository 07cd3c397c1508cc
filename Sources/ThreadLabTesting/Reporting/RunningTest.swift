import Testing

/// The test that calls the library.
enum RunningTest {
    /// What chooses it in `swift test --filter`, as a regular expression. Nil: no test is running.
    static func filter(at place: CallPlace) -> String? {
        guard let test = Test.current else {
            return isOfXCTest ? pattern(for: "\(place.function)".prefix { $0 != "(" }) : nil
        }
        // Its last part is a place in source, which may change.
        let parts = "\(test.id)".split(separator: "/")
        let name = parts.last?.contains(":") == true ? parts.dropLast() : parts[...]
        return pattern(for: name.joined(separator: "/"))
    }

    /// A name for a file about it: `depositsAdd-trace.txt`.
    static func fileName(_ name: String) -> String {
        guard let test = Test.current else { return name }
        let words = test.name.prefix { $0 != "(" }.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }
        return (words.map(String.init) + [name]).joined(separator: "-")
    }

    /// Whether this process runs the tests of a package. XCTest does not say whether one of them is running.
    static var isOfXCTest: Bool { CommandLine.arguments.first?.hasSuffix(".xctest") ?? false }

    /// A regular expression for the text, without a single quote.
    private static func pattern(for text: some StringProtocol) -> String {
        text.map { character in
            if character.isLetter || character.isNumber || "/_ `".contains(character) { return "\(character)" }
            return character == "'" ? "." : "\\\(character)"
        }.joined()
    }
}
