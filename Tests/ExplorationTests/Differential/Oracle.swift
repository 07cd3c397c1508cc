import Foundation
import Testing

/// The counter in `Tests/Oracle`, which is independent of threadlab: it enumerates all schedules of a program by brute
/// force.
enum Oracle {
    struct Answer: Decodable {
        var traces: Int
        var states: Set<TerminalState>
    }

    private struct Request: Encodable {
        var program: String
        var signal: String
    }

    /// Asks about many programs at once.
    static func answers(to programs: [String], signal: String) throws -> [Answer] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Oracle").standardized
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", folder.appending(path: "batch.py").path]
        let input = FileManager.default.temporaryDirectory.appending(path: "oracle-\(UUID().uuidString).json")
        try JSONEncoder().encode(programs.map { Request(program: $0, signal: signal) }).write(to: input)
        defer { try? FileManager.default.removeItem(at: input) }
        process.standardInput = try FileHandle(forReadingFrom: input)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "the counter needs python3")
        return try data.split(separator: UInt8(ascii: "\n")).map { try JSONDecoder().decode(Answer.self, from: $0) }
    }
}

/// How an execution can end: which threads are blocked forever, and what the shared memory holds.
struct TerminalState: Hashable, Decodable, CustomStringConvertible {
    var outcome: String
    var blocked: [Int]
    var memory: [Int]

    init(outcome: String, blocked: [Int], memory: [Int]) {
        self.outcome = outcome
        self.blocked = blocked
        self.memory = memory
    }

    init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        outcome = try list.decode(String.self)
        blocked = try list.decode([Int].self)
        memory = try list.decode([Int].self)
    }

    var description: String { "\(outcome) blocked \(blocked) memory \(memory)" }
}
