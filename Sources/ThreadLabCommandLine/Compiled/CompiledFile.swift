import CCompiled
import CompiledExecution
import Glibc

/// A program that a compiler has made: a file in the format ELF.
struct CompiledFile {
    let path: String

    /// Nil: the path leads to no executable file of this format.
    init?(_ path: String) {
        var status = stat()
        guard path.contains("/"), stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            access(path, X_OK) == 0, let file = fopen(path, "re")
        else { return nil }
        defer { fclose(file) }
        var magic: [UInt8] = [0, 0, 0, 0]
        guard fread(&magic, 1, 4, file) == 4, magic == [0x7F, 0x45, 0x4C, 0x46] else { return nil }
        self.path = path
    }

    /// The version of the runtime that the program was built with. Nil: it was built without.
    var runtimeVersion: UInt32? { ElfFile(path)?.section(".threadlab").flatMap { $0.count >= 4 ? word($0) : nil } }

    /// Whether it was linked by gcc for ThreadSanitizer. Its library is one of its own then, and threadlab's can take the place of that.
    var isForThreadSanitizer: Bool { ElfFile(path)?.needed.contains(Self.threadSanitizer) ?? false }

    /// What gcc calls it from version 12 on.
    private static let threadSanitizer = "libtsan.so.2"

    /// Whether it has gcc's OpenMP, whose threads wait by system calls that are in its own code.
    var hasGNUOpenMP: Bool { ElfFile(path)?.needed.contains("libgomp.so.1") ?? false }

    private func word(_ bytes: [UInt8]) -> UInt32 { bytes.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) } }
}
