import Testing
import Text

@Suite struct ShortenedTests {
    @Test func `a short text stays as it is`() {
        for text in ["", "a", "線程", String(repeating: "x", count: 500), String(repeating: "線", count: 500)] {
            #expect(text.shortened() == text)
        }
    }

    @Test(arguments: ["x", "線", "e\u{301}", "👩\u{200D}🚀"])
    func `of a long text the beginning and the end are left`(unit: String) {
        for count in [600, 10_000] {
            let text = "begin" + String(repeating: unit, count: count) + "end"
            let short = text.shortened()
            #expect(short.hasPrefix("begin") && short.hasSuffix("end") && short.unicodeScalars.count == 500)
            #expect(text.shortened(to: 10).unicodeScalars.count == 10)
        }
    }
}
