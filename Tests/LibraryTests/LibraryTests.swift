import Library
import Support
import Testing

/// What the tool carries with it, compared with the package's files.
@Suite struct LibraryTests {
    static let programs = Repository.paths(in: "scenarios", ending: ".lab").sorted()
    static let pages = Repository.paths(in: "docs", ending: ".md") + ["scenarios/README.md"]
    static let course = ["lab", "md"].flatMap { Repository.paths(in: "course", ending: "." + $0) }
    static let sources = Repository.paths(in: "Sources/Scenarios", ending: ".swift")

    @Test func `every program, page and scenario source is embedded as it stands, and nothing else`() {
        let files = Self.programs + Self.pages + Self.course + Self.sources
        #expect(Library.paths.sorted() == files.sorted())
        for path in files { #expect(Library.text(of: path) == Repository.text(of: path), "\(path)") }
        #expect(Library.text(of: "docs/nothing.md") == nil)
    }

    @Test(arguments: sources.filter { Repository.text(of: $0)?.contains("static let source = #file") == true })
    func `a scenario says where its text is in the tool, without a path of the machine that built it`(path: String)
        throws
    {
        let text = try #require(Repository.text(of: path))
        #expect(text.contains("static let source = #fileID\n") && !text.contains("#filePath"))
        let file = try #require(path.split(separator: "/").last)
        #expect(Library.path(ofFile: "Scenarios/\(file)") == path)
        #expect(Library.path(ofFile: "Other/\(file)") == nil && Library.path(ofFile: "/x/\(path)") == nil)
    }

    @Test func `each program has a name of its own`() {
        let names = Self.programs.map { String($0.split(separator: "/").last!.dropLast(".lab".count)) }
        #expect(Set(names).count == names.count)
        #expect(Set(Library.programs.keys) == Set(names))
    }

    @Test(arguments: ["lost-update", "basics/lost-update"])
    func `a program is found by its name, with or without its chapter`(
        name: String
    ) throws {
        let program = try #require(Library.program(named: name))
        #expect(program.name == "lost-update" && program.path == "basics/lost-update")
        #expect(program.text == Repository.text(of: "scenarios/basics/lost-update.lab"))
    }

    @Test(arguments: ["", "/", "lost-update.lab", "atomicity/lost-update", "/lost-update", "basics/", "LOST-UPDATE"])
    func `no other word is a program`(name: String) { #expect(Library.program(named: name) == nil) }

    @Test func `the chapters hold every program once, in the order of their page`() throws {
        let names = Library.chapters.flatMap { $0.programs.map(\.name) }
        #expect(names.sorted() == Library.programs.keys.sorted())
        let folders = Set(Self.programs.map { String($0.split(separator: "/")[1]) })
        #expect(Set(Library.chapters.map(\.name)) == folders && Library.chapters.count == folders.count)
        let basics = try #require(Library.chapters.first)
        #expect(basics.name == "basics" && basics.summary.hasPrefix("First steps: "))
        let lost = try #require(basics.entries.first { $0.name == "lost-update" })
        #expect(lost.summary == "two threads count, and one update is lost")
        #expect(lost.ends == "race, assertion" && lost.fixedPrograms == ["lost-update-fixed", "lost-update-atomic"])
    }
}
