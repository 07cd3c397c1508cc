import Testing

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
