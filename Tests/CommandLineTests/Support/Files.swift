import FoundationEssentials
import Glibc
import Testing

/// A directory of one test, removed at its end.
final class TemporaryDirectory {
    let path: String

    init() throws {
        var template = Array("/tmp/threadlab-tests-XXXXXX".utf8CString)
        path = String(cString: try #require(mkdtemp(&template)))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Creates a directory in it.
    func directory(_ name: String) throws { try #require(mkdir(file(name), 0o755) == 0) }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    func write(_ name: String, _ content: [UInt8]) throws -> String {
        try Files.write(file(name), content)
        return file(name)
    }

    /// What is in it.
    var names: [String] { Self.names(in: path) }

    /// What is in a directory.
    static func names(in path: String) -> [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}

enum Files {
    /// Nil if there is no such file.
    static func read(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        return bytes
    }

    static func text(_ path: String) -> String? { read(path).map { String(decoding: $0, as: UTF8.self) } }

    static func write(_ path: String, _ bytes: [UInt8]) throws {
        let file = try #require(fopen(path, "w"), "cannot write \(path)")
        #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
        fclose(file)
    }

    /// Writes a file that can be run. Another process does: what other tests start has for a moment all files that this process is writing, and
    /// the system runs no file that is being written ("Text file busy").
    static func writeProgram(_ path: String, _ bytes: [UInt8]) throws {
        try write(path + ".new", bytes)
        try Invocation(program: "/usr/bin/install", arguments: ["-m", "755", path + ".new", path]).run().exits(with: 0)
        unlink(path + ".new")
    }
}

/// Whether the text is one value of JSON to another parser.
func isJSON(_ text: String) -> Bool {
    struct Anything: Decodable {
        init(from decoder: any Decoder) throws {
            if var list = try? decoder.unkeyedContainer() {
                while !list.isAtEnd { _ = try list.decode(Anything.self) }
            } else if let object = try? decoder.container(keyedBy: Key.self) {
                for key in object.allKeys { _ = try object.decode(Anything.self, forKey: key) }
            }
        }
    }
    struct Key: CodingKey {
        var stringValue: String
        var intValue: Int?
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
    return (try? JSONDecoder().decode(Anything.self, from: Data(text.utf8))) != nil
}
