import Authoring
import Diagnosis
import Scenarios
import Support
import Testing

/// The sections of documents that are cited: `Tests/Documents/titles.md` has the titles of all that exist.
@Suite struct TitleTests {
    /// A section, with the titles around it, the document's first.
    struct Section: Hashable {
        let title: String
        let around: [String]
    }

    static let sections: Set<Section> = {
        var around: [String] = []
        var sections: Set<Section> = []
        for line in (Repository.text(of: "Tests/Documents/titles.md") ?? "").split(separator: "\n") {
            guard let heading = line.wholeMatch(of: /(#+) (.+)/) else { continue }
            around = Array(around.prefix(heading.output.1.count - 1))
            let title = String(heading.output.2)
            sections.insert(Section(title: title, around: around))
            around.append(title)
        }
        return sections
    }()

    private static let guide = Book.threadingProgrammingGuide.title
    private static let article = Book.threadSafeClassDesign.title

    private func expect(_ title: String, in around: [String], at place: String) {
        let isThere = Self.sections.contains { $0.title == title && around.allSatisfy($0.around.contains) }
        #expect(isThere, "\(place): \(around.joined(separator: ", ")), \"\(title)\"")
    }

    @Test func `the list has the documents with their addresses`() {
        let text = Repository.text(of: "Tests/Documents/titles.md") ?? ""
        for book in [Book.threadingProgrammingGuide, .threadSafeClassDesign] {
            #expect(text.contains("# \(book.title)\n\n<\(book.link)>\n"))
        }
        #expect(Self.sections.count > 120)
    }

    @Test func `built-in scenarios and their variants follow sections that exist`() {
        for type in Catalogue.builtIn {
            var guides = [type.guide]
            if case .choice(let variants)? = type.parameters.first(where: { $0.name == "variant" })?.form {
                guides += variants.map(\.guide)
            }
            for case let guide? in guides {
                expect(guide.section, in: [guide.book.title, guide.chapter], at: type.name)
            }
        }
    }

    @Test func `the tables of the guide's page name sections that exist`() {
        var chapter: String?
        for line in (Repository.text(of: "docs/guide.md") ?? "").split(separator: "\n") {
            if line.hasPrefix("## ") { chapter = String(line.dropFirst(3)) }
            guard let cell = line.wholeMatch(of: /\| ([^|(]+?) \|.*/)?.output.1, let chapter else { continue }
            let isArticle = chapter == "The article"
            guard isArticle || Self.sections.contains(Section(title: chapter, around: [Self.guide])) else { continue }
            for title in cell.split(separator: ", ") where title != "Section" {
                expect(String(title), in: isArticle ? [Self.article] : [Self.guide, chapter], at: "docs/guide.md")
            }
        }
    }

    /// Files that cite sections as `Guide: Synchronization, "Locks" and "Conditions"; Run Loops, "Timer Sources"`.
    static let citing =
        Repository.paths(in: "scenarios", ending: ".lab") + ["docs/glossary.md", "docs/guide.md"]
        + Repository.paths(in: "Sources/Diagnosis", ending: ".swift")

    @Test func `programs, explanations and the glossary cite sections that exist`() {
        var count = 0
        for path in Self.citing {
            let text = (Repository.text(of: path) ?? "").replacing("\\\"", with: "\"").replacing("\n/// ", with: " ")
            for citation in text.matches(of: /[Gg]uide[:,] ((?:(?:; |, | and )?(?:[A-Z][A-Za-z ]+, )?"[^"\n]+")+)/) {
                var chapter = ""
                for part in citation.output.1.matches(of: /(?:([A-Z][A-Za-z ]+), )?"([^"]+)"/) {
                    if let named = part.output.1 { chapter = String(named) }
                    // Of the guide's glossary, the list has no titles.
                    if chapter == "Glossary" { continue }
                    let book = chapter == Self.article ? [Self.article] : [Self.guide, chapter]
                    expect(String(part.output.2), in: book, at: path)
                    count += 1
                }
            }
        }
        #expect(count > 120)
    }

    @Test func `the documentation of a type cites a section that exists`() {
        var count = 0
        for path in Repository.paths(in: "Sources/Primitives", ending: ".swift") {
            for citation in (Repository.text(of: path) ?? "").matches(of: /\(guide: ([^;)]+)/) {
                expect(String(citation.output.1), in: [Self.guide], at: path)
                count += 1
            }
        }
        #expect(count > 10)
    }
}
