import Glibc

extension CompiledProgram {
    /// What the program finds when it starts, and what could make executions with the same schedule differ: its file,
    /// its libraries' files, its arguments, its environment variables, its limits and its input. Determined once, when
    /// this process first needs it.
    ///
    /// Nil: some of it cannot be compared with that of another run. If a program reads anything else, its search is not
    /// a proof.
    package static let circumstances: [String]? = {
        guard let files = libraries?.map({ path in digest(path).map { "\(path) \($0)" } }), !files.contains(nil),
            let input, let words = content("/proc/self/cmdline"), let program = digest("/proc/self/exe")
        else { return nil }
        return ["program \(program)", "input \(input)", "words \(exact(words))", "limits \(limits)"]
            + files.compactMap(\.self) + variables
    }()

    /// The bytes in hexadecimal digits: no other bytes have the same text.
    private static func exact(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { String($0, radix: 16) }.joined(separator: " ")
    }

    /// The number of resources that have limits (`RLIM_NLIMITS`).
    private static let resourceCount: UInt32 = 16

    /// The process's resource limits and processors: programs choose their number of threads by the number of
    /// processors.
    private static var limits: String {
        var numbers = [sysconf(Int32(_SC_NPROCESSORS_CONF)), sysconf(Int32(_SC_NPROCESSORS_ONLN))]
        for resource in 0..<resourceCount {
            var limit = rlimit()
            guard getrlimit(__rlimit_resource_t(resource), &limit) == 0 else { continue }
            numbers += [Int(truncatingIfNeeded: limit.rlim_cur), Int(truncatingIfNeeded: limit.rlim_max)]
        }
        let status = String(decoding: content("/proc/self/status") ?? [], as: UTF8.self)
        let processors = status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed:") } ?? ""
        return "\(numbers) \(processors)"
    }

    /// The paths of all files whose code is in this process. Nil: a file was replaced or deleted after it was loaded.
    private static var libraries: [String]? {
        guard let text = content("/proc/self/maps") else { return nil }
        var paths: Set<String> = []
        for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
            // 7f1c0a000000-7f1c0a021000 r-xp 00000000 fd:01 1234   /path, which may have blanks.
            let fields = line.split(separator: " ", maxSplits: 5)
            guard fields.count == 6, fields[1].contains("x") else { continue }
            let path = fields[5].drop { $0 == " " }
            if path.hasSuffix(" (deleted)") { return nil }
            if path.hasPrefix("/") { paths.insert(String(path)) }
        }
        return paths.sorted()
    }

    /// The rest of standard input. Nil: it is not a file that can be read again.
    private static var input: String? {
        var status = stat()
        guard fstat(STDIN_FILENO, &status) == 0 else { return errno == EBADF ? "closed" : nil }
        if status.st_mode & S_IFMT == S_IFCHR { return status.st_rdev == Self.null ? "none" : nil }
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        return digest("/proc/self/fd/0").map { "\($0) from \(lseek(STDIN_FILENO, 0, SEEK_CUR))" }
    }

    /// The device number of `/dev/null`: major 1, minor 3.
    private static let null: dev_t = 0x103

    /// The environment variables in their order: of two with one name, a program finds the first.
    private static var variables: [String] {
        var found: [String] = []
        var next = environ
        while let variable = next.pointee {
            found.append(
                exact(UnsafeBufferPointer(start: variable, count: strlen(variable)).map { UInt8(bitPattern: $0) }))
            next += 1
        }
        return found
    }

    /// The size of a file and a hash of its content (a variant of FNV-1a, on words of eight bytes, each folded). Nil: it
    /// cannot be read.
    private static func digest(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // The offset basis of FNV-1a. Below, the hash is multiplied by its prime.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        var size = 0
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 8)
        defer { buffer.deallocate() }
        while true {
            let count = readWhole(descriptor, buffer)
            if count < 0 { return nil }
            if count == 0 { return "\(size) \(String(hash, radix: 16))" }
            size += count
            // The last word of the file is filled up with zeros.
            for place in count..<(count + 7) / 8 * 8 { buffer[place] = 0 }
            for word in buffer[..<((count + 7) / 8 * 8)].bindMemory(to: UInt64.self) {
                hash = (hash ^ word) &* 0x100_0000_01B3
                hash ^= hash >> 32
            }
        }
    }

    /// Reads until the buffer is full or the file is at its end. Returns the number of bytes, or −1 for an error.
    private static func readWhole(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        var filled = 0
        while filled < buffer.count {
            let count = read(descriptor, buffer.baseAddress! + filled, buffer.count - filled)
            if count < 0 { return -1 }
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// All bytes of a file whose size is not known, such as those of `/proc`. Nil: it cannot be read.
    private static func content(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&chunk, 1, chunk.count, file)
            if count == 0 { return ferror(file) == 0 ? bytes : nil }
            bytes += chunk[..<count]
        }
    }
}
