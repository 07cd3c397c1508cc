import EngineDigest
import Glibc
import Support
import Testing

@testable import embed_files

/// A proof is remembered for the engine that made it: the digest of the sources that decide it is part of the program.
@Suite struct EngineDigestTests {
    private static let files = SourceDigest.suffixes.flatMap { suffix in
        EngineDigest.folders.flatMap { Repository.paths(in: $0, ending: suffix) }
    }

    private static func digests() throws -> [(path: String, digest: [UInt8])] {
        try files.map { path in
            (path, SHA256.digest(Array(try #require(Repository.text(of: path)).utf8)))
        }
    }

    @Test func `the program has the digest of the sources of today`() throws {
        #expect(EngineDigest.word == SourceDigest.word(ofLines: try Self.digests()))
        #expect(EngineDigest.word.utf8.count == 64)
    }

    /// Another program's view of it, which has nothing from here but the folders.
    @Test func `sha256sum says the same, of the same files in any order`() throws {
        let root = Repository.root
        let command = """
            cd '\(root)' && find \(EngineDigest.folders.joined(separator: " ")) -type f ! -name '.*' \\
            | LC_ALL=C sort | tr '\\n' '\\0' | xargs -0 sha256sum | sha256sum
            """
        let stream = try #require(popen(command, "r"))
        var line = [CChar](repeating: 0, count: 200)
        let isRead = fgets(&line, 200, stream) != nil
        #expect(pclose(stream) == 0 && isRead)
        #expect(line.prefix(64).map { UInt8(bitPattern: $0) } == Array(EngineDigest.word.utf8))
    }

    @Test func `each byte of each source counts, and each name`() throws {
        let all = try Self.digests()
        var seen: Set<String> = [SourceDigest.word(ofLines: all)]
        for (number, file) in Extent.part(of: Array(all.enumerated()), every: 8) {
            var bytes = Array(try #require(Repository.text(of: file.path)).utf8)
            if !bytes.isEmpty { bytes[bytes.count * number / all.count] ^= 1 }
            var (changed, renamed, less) = (all, all, all)
            changed[number].digest = SHA256.digest(bytes + (bytes.isEmpty ? [0] : []))
            renamed[number].path += "x"
            less.remove(at: number)
            for files in [changed, renamed, less] {
                #expect(seen.insert(SourceDigest.word(ofLines: files)).inserted, "\(file.path)")
            }
        }
        #expect(SourceDigest.word(ofLines: all.reversed()) == EngineDigest.word)
    }

    @Test(arguments: [
        "CCompiled", "CLab", "CheckCommands", "CompiledExecution", "CompiledRuntime", "Console", "DebugInformation",
        "Diagnosis", "Execution", "Exploration", "Histories", "Judging", "LabExecution", "LabProgram", "LabSyntax",
        "Machine", "Recipes", "Supervision", "Text", "Trace",
    ])
    func `a room that decides a proof is in the digest`(room: String) {
        #expect(EngineDigest.folders.contains("Sources/\(room)"))
    }
}
