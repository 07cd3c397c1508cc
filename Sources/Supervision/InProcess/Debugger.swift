import Glibc

/// Whether a debugger, or another tracer, is attached to this process.
enum Debugger {
    static var isAttached: Bool {
        guard let file = fopen("/proc/self/status", "re") else { return false }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            if let tracer = tracer(ofLine: text) { return tracer != 0 }
        }
        return false
    }

    /// Nil: another line.
    static func tracer(ofLine line: String) -> Int? {
        let parts = line.split(whereSeparator: \.isWhitespace)
        return parts.first == "TracerPid:" && parts.count == 2 ? Int(parts[1]) : nil
    }
}
