import Glibc

package enum Processors {
    /// The number of processors, each of which can have a process of a search, a check or a repetition.
    package static var count: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// As the kernel names it. Nil: unknown.
    package static var model: String? {
        guard let file = fopen("/proc/cpuinfo", "r") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let text = line.prefix { $0 != 0 && $0 != CChar(UInt8(ascii: "\n")) }.map { UInt8(bitPattern: $0) }
            let parts = String(decoding: text, as: UTF8.self).split(separator: ":", maxSplits: 1)
            if parts.count == 2, parts[0].hasPrefix("model name") { return String(parts[1].drop { $0 == " " }) }
        }
        return nil
    }
}
