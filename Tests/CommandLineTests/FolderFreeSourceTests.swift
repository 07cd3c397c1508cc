import Support
import Testing

/// Two builds of a commit in different folders give the same program: docs/packaging.md, "The same bytes".
@Suite struct FolderFreeSourceTests {
    @Test func `no scenario contains the path of its source file`() throws {
        for path in Repository.paths(in: "Sources/Scenarios", ending: ".swift") {
            #expect(try #require(Repository.text(of: path)).contains("#filePath") == false, "\(path): write #fileID")
        }
    }

    @Test func `no code contains the length of the path of its source file`() throws {
        var uses = 0
        // The library for tests and its types are not part of the program.
        for path in Repository.paths(in: "Sources", ending: ".swift") where !path.contains("/ThreadLabT") {
            let lines = try #require(Repository.text(of: path)).split(separator: "\n", omittingEmptySubsequences: false)
            for (before, line) in zip(lines, lines.dropFirst()) where line.contains("withoutActuallyEscaping(") {
                uses += 1
                #expect(before.contains("#sourceLocation(file:"), "\(path): \(line)")
            }
        }
        #expect(uses > 0)
    }

    /// With the function: the compiler does not allow the bare name of a file that it compiles.
    @Test func `a place that is given to the compiler is that of the next line`() throws {
        for path in Repository.paths(in: "Sources", ending: ".swift") {
            let text = try #require(Repository.text(of: path))
            guard text.contains("#sourceLocation") else { continue }
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            for (number, line) in lines.enumerated() {
                guard let place = line.firstMatch(of: /#sourceLocation\(file:"(.*)",line:(\d+)\)/) else { continue }
                let file = place.1.split(separator: ",").first ?? ""
                #expect(path.hasSuffix("/\(file)") && Int(place.2) == number + 2, "\(path): \(line)")
            }
        }
    }
}
