import Testing
import Text

@testable import Reports

@Suite struct LabelTests {
    @Test(
        arguments: [
            ("\u{1B}[31m", "␛[31m", "\\u{1b}[31m"), ("a\nb", "a␊b", "a\\u{a}b"), ("\u{7F}", "␡", "\\u{7f}"),
            ("\u{9B}", "\\u{9b}", "\\u{9b}"), ("\u{202E}x", "\\u{202e}x", "\\u{202e}x"), ("é", "é", "\\u{e9}"),
        ])
    func `a label shows what a terminal would act on`(raw: String, unicode: String, ascii: String) {
        #expect(Label(raw).text == unicode)
        #expect(Label(raw, ascii: true).text == ascii)
        #expect(Label(raw, ascii: true).width == ascii.utf8.count)
    }

    /// What looks like nothing, between two letters: zero-width characters, soft hyphens, fillers, tags, what is private or not assigned.
    static let unseen: [Unicode.Scalar] = [
        "\u{AD}", "\u{34F}", "\u{115F}", "\u{180E}", "\u{200B}", "\u{200D}", "\u{2060}", "\u{2064}", "\u{3164}",
        "\u{FEFF}",
        "\u{E000}", "\u{E0001}", "\u{E0041}", "\u{E007F}", "\u{10FFFD}",
    ]

    @Test(arguments: unseen) func `a label shows what cannot be seen, as messages do`(scalar: Unicode.Scalar) {
        let number = String(scalar.value, radix: 16)
        #expect(Label("a\(scalar)b").text == "a\\u{\(number)}b")
        #expect(Label("a\(scalar)b").width == number.utf8.count + 6)
        #expect("a\(scalar)b".printable == "a\\u{\(number.uppercased())}b")
        #expect("a\(scalar)b".quotedForShell.utf8.allSatisfy { $0 < 0x80 })
        #expect("a\(scalar)b".escapedForXML == "a\\u{\(number)}b")
    }

    @Test func `what is seen is shown as it is`() {
        for text in ["é", "e\u{301}", "線程", "😀", "❤\u{FE0F}", "葛\u{E0100}", "ü\u{A0}b"] {
            #expect(Label(text).text == text)
        }
    }

    @Test(arguments: [("abc", 3), ("線程", 4), ("e\u{301}", 1), ("😀", 2), ("", 0), ("\u{1B}", 1)])
    func `a label knows its width`(text: String, width: Int) {
        #expect(Label(text).width == width)
    }

    @Test(arguments: 0..<10)
    func `a label is clipped to a width, and never beyond it`(limit: Int) {
        for text in ["abcdefghij", "線程線程", "a線b程", "e\u{301}e\u{301}e\u{301}"] {
            let clipped = Label(text).clipped(to: limit)
            #expect(clipped.width <= limit)
            #expect(clipped == Label(clipped.text))
        }
        #expect(Label("abcdef").clipped(to: 4).text == "abc…")
        #expect(Label("abcdef").clipped(to: 4, ascii: true).text == "abc~")
        #expect(Label("線程").clipped(to: 3).text == "線…")
    }
}
