import Testing

@testable import Arguments

@Suite struct CompletionTests {
    @Test(
        arguments: [
            ("", "list show run replay trace completion help"),
            ("re", "replay"),
            ("--", "--help --version --no-pager --completion"),
            ("bogus ", ""),
            ("run ", "deadlock producer-consumer dining FILES.lab"),
            ("run d", "deadlock dining FILES.lab"),
            ("run scenarios/", "FILES.lab"),
            ("run --seed 7 de", "deadlock FILES.lab"),
            ("run --try-lock de", "deadlock FILES.lab"),
            ("run greedy.lab --s", "--seed --spurious"),
            ("run --native greedy.lab --sp", "--spurious"),
            ("replay d", "deadlock dining FILES"),
            ("run deadlock --s", "--seed"),
            ("run deadlock --t", "--timeout --trace --try-lock"),
            ("run producer-consumer --p", "--producers --pause --policy"),
            ("run --p", ""),
            ("run dining --native --c", "--color"),
            ("run dining --seed 7 --s", ""),
            ("run deadlock --variant ", "broken fixed"),
            ("run deadlock --variant=f", "--variant=fixed"),
            ("run deadlock --variant f", "fixed"),
            ("run deadlock --seed ", ""),
            ("run deadlock --trace ", "FILES"),
            ("run deadlock --trace=a", "FILES"),
            ("run deadlock --bogus=a", ""),
            ("run deadlock --format j", "json"),
            ("show producer-consumer ", "--help"),
            ("trace a ", "FILES"),
            ("trace -- --f", "FILES"),
            ("completion ", "bash zsh fish"),
            ("help r", "run replay"),
            ("help run d", "deadlock dining FILES.lab"),
        ])
    func `the last word is completed as what it would be if the line ended there`(line: String, expected: String) {
        let completions = Sample.tool.completions(of: Sample.words(line), scenarios: Sample.scenarios)
        let found = completions.map { completion in
            switch completion {
            case .word(let word): word.text
            case .files(let ending): "FILES\(ending)"
            }
        }
        #expect(found.joined(separator: " ") == expected)
    }

    @Test func `no words at all are completed like an empty first word`() {
        #expect(Sample.tool.completions(of: []) == Sample.tool.completions(of: [""]))
    }

    @Test func `a line for the shell is a word, a tab and a description, or asks for paths`() {
        #expect(Completion.word(KnownWord("run", "Run\ta\nscenario")).line == "run\tRun\\u{9}a\\u{A}scenario")
        #expect(Completion.files(ending: "").line == ":files")
        #expect(Completion.files(ending: ".lab").line == ":files.lab")
    }
}
