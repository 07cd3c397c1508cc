import CCompiled
import DebugInformation
import Glibc
import Text

/// A compiled program: an executable ELF file, named by a path with a slash.
package struct CompiledFile {
    let path: String

    /// Nil: the path has no slash, or does not lead to an executable ELF file.
    package init?(_ path: String) {
        guard path.hasSlash, access(path, X_OK) == 0, Self.begins(path, with: Self.magic) else { return nil }
        self.path = path
    }

    /// The first bytes of an ELF file.
    private static let magic: [UInt8] = [0x7F, 0x45, 0x4C, 0x46]

    private static func begins(_ path: String, with bytes: [UInt8]) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, let file = fopen(path, "re") else {
            return false
        }
        defer { fclose(file) }
        var beginning = [UInt8](repeating: 0, count: bytes.count)
        return fread(&beginning, 1, bytes.count, file) == bytes.count && beginning == bytes
    }

    /// The path of a program with this name in the working directory, such as `./app`. Nil: there is none.
    static func beside(_ word: String) -> String? {
        !word.hasSlash && CompiledFile("./" + word) != nil ? "./" + word : nil
    }

    /// What the user should do about a file that was given as a program, as the end of a sentence: for a program that
    /// is named without its path or may not be executed, for a source, and for a script. Nil: it is none of these.
    package static func remedy(for path: String, tool: String) -> String? {
        if let program = beside(path) { return "is named by its path: did you mean '\(program.printable)'?" }
        if let dot = path.lastIndex(of: "."), let compiler = compilers[String(path[dot...])] {
            let program = String(path[..<dot])
            let named = program.hasSlash ? program : "./" + program
            return "is not a program, but the source of one: build it with '\(tool) cc -- \(compiler) -g "
                + "\(path.quotedAsPath) -o \(program.quotedAsPath)', and give the program, \(named.quotedAsPath)"
        }
        if begins(path, with: magic), access(path, X_OK) != 0 {
            return "is a program, but may not be executed: 'chmod +x \(path.quotedAsPath)' permits it"
        }
        if begins(path, with: Array("#!".utf8)) {
            return "is a script: give the compiled program itself, or a .lab file"
        }
        return nil
    }

    package static let cxxSuffixes = [".cc", ".cpp", ".cxx", ".C", ".c++"]

    /// The names of compilers for sources with these suffixes.
    private static let compilers = Dictionary(
        uniqueKeysWithValues: [(".c", "cc")] + cxxSuffixes.map { ($0, "c++") })

    /// The version of the runtime that the program was built with. Nil: it was built without the runtime.
    var runtimeVersion: UInt32? {
        ElfFile(path)?.section(".threadlab").flatMap { $0.count >= 4 ? littleEndian($0.prefix(4)) : nil }
    }

    /// Whether gcc linked the program for ThreadSanitizer. Then the sanitizer's runtime is a separate library, and
    /// threadlab's runtime can take its place.
    var isForThreadSanitizer: Bool { ElfFile(path)?.needed.contains(Self.threadSanitizer) ?? false }

    /// The file name of the sanitizer's library in gcc 12 and later.
    private static let threadSanitizer = "libtsan.so.2"

    /// The OpenMP library that the program needs. Nil: it needs none.
    var openMP: String? {
        ElfFile(path)?.needed.first {
            $0.hasPrefix("libgomp.so") || $0.hasPrefix("libomp.so") || $0.hasPrefix("libiomp5.so")
        }
    }

    /// The number with these four bytes, the lowest first.
    private func littleEndian(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
