import Support
import Testing

/// What docs/guide.md refers to.
@Suite struct GuidePageTests {
    /// Names in the last column of its tables.
    static let names: [String] = {
        let lines = (Repository.text(of: "docs/guide.md") ?? "").split(separator: "\n")
        let cells = lines.filter { $0.hasPrefix("|") }.compactMap { $0.split(separator: "|").last }
        return Set(cells.flatMap { $0.matches(of: /`([^`]+)`/).map { String($0.output.1) } }).sorted()
    }()

    @Test func `it names enough to be a course`() { #expect(Self.names.count > 60) }

    @Test(arguments: names) func `everything that it names can be shown`(name: String) throws {
        if name.hasPrefix("threadlab ") { return try Reader().type(name) }
        let parts = name.split(separator: "/").map(String.init)
        let page = try threadlab("show", parts[0]).run().succeeds()
        if parts.count > 1 { page.prints("\n  \(parts[1]) ") }
    }
}
