import LabSyntax
import Support
import Trace

/// Words and signs of the language in any order.
enum WordFuzzer {
    private static let words: [String] =
        Keyword.allWords + [
            "m", "x", "list", "t", "f", "main", "0", "1", "-1", "10ms", "9223372036854775807", "\"text\"", "\"\\(x)\"",
            "(",
            ")", "[", "]", "{", "}", "{ }", ",", ";", ":", ".", "->", "..<", "...", "=", "==", "+", "-", "*", "/", "%",
            "&",
            "|", "^", "&&", "||", "!", "~", "<<", "+=", "++", "?", "\n", "\n", "\n", "// comment\n", "/// doc\n",
            "m.lock()",
            "x = 1\n", "shared x = 0\n", "mutex m\n", "shared list = []\n", "thread t {", "thread t[2] {", "func f() {",
            "lock m {", "if x == 1 {", "while true {", "expect outcomes {",
        ]

    static func text(_ generator: inout SplitMix64) -> [UInt8] {
        var text = Bool.random(using: &generator) ? "scenario \"fuzz\"\n" : ""
        for _ in 0..<Int.random(in: 0..<80, using: &generator) {
            text += words.randomElement(using: &generator)!
            if Int.random(in: 0..<8, using: &generator) > 0 { text += " " }
        }
        var bytes = Array(text.utf8)
        if Int.random(in: 0..<4, using: &generator) == 0 { bytes.insertRun(&generator) }
        return bytes
    }
}
