import Testing
import Text

@Suite struct PathTextTests {
    /// A slash and U+0338 are one `Character`.
    private static let joined = "/\u{338}"

    @Test(
        arguments: [
            ("a", ["a"], nil), ("/", [], ""), ("/a", ["a"], ""), ("a/b", ["a", "b"], "a"),
            ("a//b/", ["a", "b"], "a//b"),
            (".././x", ["..", ".", "x"], "../."), (joined + "x", ["\u{338}x"], ""),
            ("..\(joined)x", ["..", "\u{338}x"], ".."),
        ] as [(String, [String], String?)]) func `a path has the names that the system sees`(
            path: String, names: [String], folder: String?
        )
    {
        #expect(path.namesOfPath.map(Array.init) == names.map(Array.init))
        #expect(path.lastNameOfPath.map(String.init) == path.namesOfPath.last.map(String.init))
        #expect(path.folderOfPath == folder)
        #expect(path.placeOfPath == folder.map { $0 + "/" })
    }

    @Test(
        arguments: [
            ("/a/b", "/a", "b"), ("/a/b", "/", "a/b"), ("/a", "/a", nil), ("/ab", "/a", nil), ("a//b", "a", "b"),
            ("a/b", "a/", "b"),
            ("./x", ".", "x"), (".x", ".", nil), ("a\(joined)b", "a", "\u{338}b"), ("x", "", nil),
        ] as [(String, String, String?)]) func `what is below a folder is named from there`(
            path: String, folder: String, rest: String?
        )
    {
        #expect(path.path(below: folder).map { Array($0.utf8) } == rest.map { Array($0.utf8) })
    }

    @Test(arguments: [("/", "/"), ("//", "/"), ("a/", "a"), ("a//", "a"), ("/a/", "/a"), ("a", "a"), ("", "")])
    func `slashes at the end are left out`(path: String, rest: String) { #expect(path.withoutLastSlash == rest) }

    @Test func `a path is absolute, or of a folder, whatever follows its slash`() {
        #expect((Self.joined + "x").isAbsolutePath && !"a/".isAbsolutePath)
        #expect("a/".isPathOfFolder && !"/a".isPathOfFolder)
        #expect("a\(Self.joined)b".hasSlash && !"ab".hasSlash)
    }
}
