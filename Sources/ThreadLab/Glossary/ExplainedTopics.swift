import Diagnosis

/// What a word given to `explain` means: findings, terms of the glossary, or both.
struct ExplainedTopics {
    var codes: [FindingCode]
    var terms: [GlossaryEntry]

    static var all: Self { Self(codes: FindingCode.allCases, terms: Glossary.entries) }

    /// What the word names exactly; if it names nothing, what has the word in its name or title.
    init(matching word: String) {
        let term = Glossary.entry(word)
        let code = FindingCode(word: word) ?? term?.finding.flatMap { FindingCode(word: $0) }
        self.init(codes: code.map { [$0] } ?? [], terms: term.map { [$0] } ?? [])
        let wanted = word.lowercased()
        guard isEmpty, !wanted.isEmpty else { return }
        codes = FindingCode.allCases.filter { $0.name.contains(wanted) || $0.title.lowercased().contains(wanted) }
        terms = Glossary.entries.filter { entry in
            ([entry.term] + entry.synonyms).contains { $0.lowercased().contains(wanted) }
        }
    }

    private init(codes: [FindingCode], terms: [GlossaryEntry]) {
        self.codes = codes
        self.terms = terms
    }

    var isEmpty: Bool { codes.isEmpty && terms.isEmpty }

    /// Whether it is one subject: a finding, a term, or a term together with its finding.
    var isOne: Bool {
        guard codes.count <= 1, terms.count <= 1, let term = terms.first, let code = codes.first else {
            return codes.count + terms.count == 1
        }
        return term.finding == code.rawValue
    }

    /// Every word that names a topic.
    static var words: [String] {
        FindingCode.allCases.map(\.name) + FindingCode.allCases.map(\.rawValue) + Glossary.words
    }
}
