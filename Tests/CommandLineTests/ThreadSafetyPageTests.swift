import Support
import Testing

/// The table in docs/thread-safety.md.
@Suite struct ThreadSafetyPageTests {
    /// The public classes of the primitives.
    static let types: [String] = Repository.paths(in: "Sources/Primitives", ending: ".swift").flatMap { path in
        (Repository.text(of: path) ?? "").matches(of: /(?m)^public final class (\w+)/).map { String($0.output.1) }
    }.sorted()

    private static let rows = (Repository.text(of: "docs/thread-safety.md") ?? "").split(separator: "\n")
        .filter { $0.hasPrefix("| `") }

    @Test(arguments: types) func `it says from where each type may be used`(type: String) {
        #expect(Self.rows.count { $0.contains("`\(type)`") } >= 1)
    }

    @Test func `there are types`() { #expect(Self.types.count > 30) }
}
