import LabSyntax
import Support
import Testing

@Suite struct EditorTests {
    @Test("Vim's syntax file has every word of the language, and no other")
    func vim() throws {
        let text = try #require(Repository.text(of: "editors/vim/syntax/lab.vim"))
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("syntax keyword ") }
        let words = lines.flatMap { $0.split(separator: " ").dropFirst(3).map(String.init) }
        #expect(words.sorted() == Keyword.allCases.map(\.rawValue).sorted())
    }

    @Test("VS Code's grammar has every word of the language, and no other")
    func vscode() throws {
        let text = try #require(Repository.text(of: "editors/vscode/syntaxes/lab.tmLanguage.json"))
        let lists = text.split(separator: "\"\\\\b(?:", omittingEmptySubsequences: false).dropFirst()
        let words = lists.flatMap { $0.split(separator: ")").first?.split(separator: "|").map(String.init) ?? [] }
        #expect(words.sorted() == Keyword.allCases.map(\.rawValue).sorted())
    }
}
