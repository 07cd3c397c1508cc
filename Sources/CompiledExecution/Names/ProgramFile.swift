import CCompiled
import Glibc

/// A loaded file whose code is instrumented, so that it reports its accesses to memory: the program, or a library that
/// was compiled in the same way; also the runtime, if it is a library.
struct ProgramFile: Sendable {
    /// Absolute, because the program may change its working directory. For the program itself `/proc/self/exe`, which
    /// is the running file even if the program has been built again.
    let path: String
    /// The difference between an address in memory and the same address in the file.
    let loadOffset: UInt64
    /// Whether the file is the runtime as a library of its own, without code of the program.
    let isRuntime: Bool
    /// A library's file name without folders. Nil: the file is the program itself.
    let name: String?
    /// How far below each thread pointer the file's thread-local variables begin. Nil: it has none there.
    let threadLocals: UInt64?

    /// The program's own file, then its libraries' in the order in which they were loaded.
    static func all(of program: UnsafeMutablePointer<compiled_program_t>) -> [ProgramFile] {
        withUnsafeBytes(of: &program.pointee.files) { bytes in
            let files = bytes.bindMemory(to: compiled_file_t.self).prefix(Int(program.pointee.file_count))
            return files.enumerated().map { number, file in
                let path = number == 0 ? String(cString: file.path) : absolute(file.path)
                return ProgramFile(
                    path: path, loadOffset: file.load_offset, isRuntime: file.is_runtime != 0,
                    name: number == 0 ? nil : String(path.split(separator: "/").last ?? "A library"),
                    threadLocals: file.variables == 0 ? nil : file.variables)
            }
        }
    }

    /// The absolute path with symbolic links resolved, if the file can be found.
    private static func absolute(_ path: UnsafePointer<CChar>) -> String {
        guard let found = realpath(path, nil) else { return String(cString: path) }
        defer { free(found) }
        return String(cString: found)
    }
}
