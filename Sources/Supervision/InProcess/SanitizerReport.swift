import CLab

/// A data race of plain memory that ThreadSanitizer has reported, in a process that was built with it
/// (`--sanitize=thread`).
package struct SanitizerReport: Sendable {
    /// What each of the two threads did, in one line. The later access comes first.
    package let accesses: [String]
    /// The kernel's numbers of the threads.
    private let threads: [Int32]

    /// The number of reports so far.
    static var count: Int { Int(clab_race_count()) }

    /// Reports about at least one of the threads.
    ///
    /// - Parameters:
    ///   - start: the number of earlier reports, which are left out.
    ///   - threads: the kernel's numbers of the threads.
    static func reports(after start: Int, about threads: [Int32]) -> [SanitizerReport] {
        (start..<max(start, count)).map { SanitizerReport(clab_race(Int32($0))) }
            .filter { $0.threads.contains(where: threads.contains) }
    }

    private init(_ race: clab_race_t) {
        threads = [race.thread.0, race.thread.1, race.thread.2, race.thread.3].prefix(Int(race.threads)).map(\.self)
        accesses = [race.access.0, race.access.1].prefix(Int(race.accesses)).map(Self.line)
    }

    /// For example `write in Counter.add() at Counter.swift:7`.
    private static func line(_ access: clab_access_t) -> String {
        let kind = access.isWrite != 0 ? "write" : "read"
        let frames = withUnsafeBytes(of: access.frame) { Array($0.bindMemory(to: UnsafeMutableRawPointer?.self)) }
        let places = frames.prefix { $0 != nil }.compactMap { place(of: $0!) }
        // A function that the compiler generated has no line.
        guard let place = places.first(where: { $0.line > 0 }) ?? places.first else { return kind }
        let location = place.line > 0 ? " at \(place.file):\(place.line)" : ""
        return "\(kind) in \(place.function)\(location)"
    }

    /// The function, file and line of a call. The line is 0 if it is unknown. Nil: the function is unknown.
    private static func place(of frame: UnsafeMutableRawPointer) -> (function: String, file: String, line: Int)? {
        var text = [CChar](repeating: 0, count: 1024)
        clab_describe(frame, &text, UInt(text.count))
        let parts = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            .split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, !parts[0].isEmpty else { return nil }
        return (parts[0], parts[1].split(separator: "/").last.map(String.init) ?? "", Int(parts[2]) ?? 0)
    }
}
