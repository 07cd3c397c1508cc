import CCompiled
import Glibc

/// A file whose code tells of its accesses to memory: the program's, or a library's that was compiled as it was.
struct ProgramFile: Sendable {
    /// From the root, because the program may leave its folder; of the program itself by way of its process, also if it is built again meanwhile.
    let path: String
    /// What is added to the file's addresses in memory.
    let offset: UInt64
    /// It is the runtime alone.
    let isRuntime: Bool

    /// Of a library, without folders. Nil: the program itself.
    let name: String?

    /// The program's, and then its libraries', in the order in which they were loaded.
    static func all(of program: UnsafeMutablePointer<compiled_program_t>) -> [ProgramFile] {
        withUnsafeBytes(of: &program.pointee.files) { bytes in
            let files = bytes.bindMemory(to: compiled_file_t.self).prefix(Int(program.pointee.file_count))
            return files.enumerated().map { number, file in
                let path = number == 0 ? String(cString: file.path) : whole(file.path)
                return ProgramFile(
                    path: path, offset: file.load_offset, isRuntime: file.is_runtime != 0,
                    name: number == 0 ? nil : String(path.split(separator: "/").last ?? "A library"))
            }
        }
    }

    private static func whole(_ path: UnsafePointer<CChar>) -> String {
        guard let whole = realpath(path, nil) else { return String(cString: path) }
        defer { free(whole) }
        return String(cString: whole)
    }
}
