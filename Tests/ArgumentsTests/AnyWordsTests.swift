import Testing
import Text

@testable import Arguments

/// Properties of every command line, right or wrong: here all lines of three words after a command.
@Suite struct AnyWordsTests {
    private static let vocabulary = [
        "", "-", "--", "-h", "-5", "=", "--=", "--seed", "--seed=", "--native", "--producers", "--policy", "--try-lock",
        "7",
        "deadlock", "producer-consumer", "x.lab", "\u{1B}",
    ]

    @Test(arguments: Sample.tool.commands.map(\.name))
    func `any line is parsed or refused with one line that is safe to show`(command: String) {
        Self.forEachLine(command) { words in
            do throws(ArgumentError) {
                _ = try Sample.tool.parse(words, scenarios: Sample.scenarios)
            } catch {
                let message = error.message
                if message.isEmpty || message != message.printable { Issue.record("\(words): \(message)") }
            }
        }
    }

    @Test(arguments: Sample.tool.commands.map(\.name))
    func `any line is completed with words that begin with its last word`(command: String) {
        Self.forEachLine(command) { words in
            for case .word(let word) in Sample.tool.completions(of: words, scenarios: Sample.scenarios)
            where !word.text.hasPrefix(words.last ?? "") {
                Issue.record("\(words): \(word.text)")
            }
        }
    }

    private static func forEachLine(_ command: String, _ body: ([String]) -> Void) {
        for first in vocabulary {
            for second in vocabulary {
                for third in vocabulary { body([command, first, second, third]) }
            }
        }
    }
}
