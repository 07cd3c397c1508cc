import LabSyntax
import Recipes
import Support
import Testing

@Suite struct EditorTests {
    @Test func `Vim's syntax file has every word of the language but those of built objects, and no other`() throws {
        let text = try #require(Repository.text(of: "editors/vim/syntax/lab.vim"))
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("syntax keyword ") }
        let words = lines.flatMap { $0.split(separator: " ").dropFirst(3).map(String.init) }
        #expect(words.sorted() == Keyword.allCases.map(\.rawValue).sorted())
    }

    @Test func `both editors see a word that declares an object, or begins a block, by the name behind it`() throws {
        let vim = try #require(Repository.text(of: "editors/vim/syntax/lab.vim"))
        #expect(vim.contains(#"syntax match labDeclaration "\%(^\|[{;]\)\s*\zs\l\w*\ze\s\+\h""#))
        let pattern = #"\b[a-z]\w*(?=[ \t]+(?!(?:in|with)\b)[A-Za-z_])"#
        let grammar = try #require(Repository.text(of: "editors/vscode/syntaxes/lab.tmLanguage.json"))
        #expect(grammar.contains("\"match\": \"\(pattern.replacing("\\", with: "\\\\"))\""))
        let word = try Regex(pattern)
        for recipe in Recipe.all {
            for text in ["\(recipe.word) name(2), other", "  x += 1; \(recipe.word) name { a = b + c }"] {
                #expect(text.matches(of: word).map { String(text[$0.range]) } == [recipe.word], "\(text)")
            }
        }
        #expect("i in 0..<n { x = a } // condition c with m".prefix(20).firstMatch(of: word) == nil)
    }

    @Test func `VS Code's grammar has every word of the language but those of built objects, and no other`() throws {
        let text = try #require(Repository.text(of: "editors/vscode/syntaxes/lab.tmLanguage.json"))
        let lists = text.split(separator: "\"\\\\b(?:", omittingEmptySubsequences: false).dropFirst()
        let words = lists.flatMap { $0.split(separator: ")").first?.split(separator: "|").map(String.init) ?? [] }
        #expect(words.sorted() == Keyword.allCases.map(\.rawValue).sorted())
    }
}
