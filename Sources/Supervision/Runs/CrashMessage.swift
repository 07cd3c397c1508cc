import Trace

/// The message that Swift writes to standard error before it ends the process, such as `Shop/Cart.swift:12: Fatal
/// error: no such item`.
struct CrashMessage {
    let text: String
    /// Nil: the message names no place.
    let site: TraceDocument.Site?

    /// The last such message in the output of a process. Nil: there is none.
    init?(in output: some Sequence<UInt8>) {
        let lines = String(decoding: Array(output), as: UTF8.self).split(separator: "\n")
        guard let message = lines.reversed().lazy.compactMap(Self.init(line:)).first else { return nil }
        self = message
    }

    private init?(line: Substring) {
        for start in Self.starts {
            guard let range = line.ranges(of: start).first else { continue }
            let place = line[..<range.lowerBound]
            guard place.isEmpty || place.hasSuffix(": ") else { continue }
            text = String(line[range.lowerBound...])
            let parts = place.dropLast(2).split(separator: ":")
            site = parts.count == 2 ? Int(parts[1]).map { .init(file: String(parts[0]), line: $0) } : nil
            return
        }
        return nil
    }

    private static let starts = ["Fatal error", "Precondition failed", "Assertion failed"]
}

/// The end of a process's output, which contains the message of a crash.
struct LastOutput {
    private(set) var bytes: ArraySlice<UInt8> = []
    private static let most = 1 << 14

    mutating func add(_ more: [UInt8]) {
        bytes += more
        bytes = bytes.suffix(Self.most)
    }
}
