import CCompiled
import CLab
import DebugInformation
import Execution
import Trace

/// What the program's files say of their addresses: functions, variables, files and lines.
///
/// They are read when they are first asked: searches do not ask.
final class ProgramSymbols: Sendable {
    struct Place {
        let file: String
        let line: Int
    }

    private let files: [FileSymbols]

    init(_ files: [ProgramFile]) { self.files = files.map(FileSymbols.init) }

    /// Reads the files now, for processes that are forked later.
    func prepare() { for file in files { file.prepare() } }

    /// Where the code at the address comes from. Nil: the program was built without `-g`, or the code is not its own.
    func place(_ address: UInt64) -> Place? { first { $0.place(address) } }

    /// The calls in progress at the address, the innermost first: of the function that the code belongs to, and before it those that the
    /// compiler has put in the place of calls. Empty: the program was built without `-g`, or the code is not its own.
    ///
    /// - Parameter isOwn: whether those in headers of libraries are left out.
    func calls(at address: UInt64, isOwn: Bool) -> [TraceDocument.Site.Call] {
        first { $0.calls(at: address) { isOwn && Self.isOfLibrary($0) } } ?? []
    }

    /// The program's own line, or that of a library, from which the code was called that returns to the address: `file.c:12`.
    func line(ofCall address: UInt64) -> String? {
        let call = calls(at: address &- 1, isOwn: true).first ?? calls(at: address &- 1, isOwn: false).first
        return call.map { "\($0.file.lastComponent):\($0.line)" }
    }

    /// Whether a file is a header of the compiler, the system or the C++ library.
    private static func isOfLibrary(_ file: String) -> Bool {
        folders.contains { file.hasPrefix($0) } || parts.contains { file.contains($0) }
    }

    private static let folders = ["/usr/include/", "/usr/local/include/", "/usr/lib/"]
    private static let parts = ["/include/c++/", "/lib/clang/", "/lib/gcc/"]

    /// The function that the code at the address belongs to.
    func function(at address: UInt64) -> String? { first { $0.function(at: address) } }

    func isStart(ofFunction address: UInt64) -> Bool { files.contains { $0.isStart(ofFunction: address) } }

    /// The linker's name of a variable that has no other, as of the table of virtual functions that an object begins with.
    func table(at address: UInt64) -> String? { first { $0.table(at: address) } }

    /// The global variable that the address belongs to, of the program or one of its libraries.
    func global(at address: UInt64) -> ProgramVariable? {
        if let found = first({ $0.global(at: address) }) { return found }
        return Self.libraryVariable(at: address).map { name, start in
            ProgramVariable(
                name: CxxName(name)?.text ?? name, start: start, part: DwarfTypes.Part(rest: address &- start))
        }
    }

    /// The local variable that the address belongs to.
    ///
    /// - Parameter frame: of the program, or of another code.
    func local(at address: UInt64, in frame: compiled_frame_t, _ word: @escaping (UInt64) -> UInt64) -> ProgramVariable?
    {
        first { file in
            // The call comes before the address to which it returns.
            let code = frame.address &- 1 &- file.offset
            return file.local(
                at: address,
                in: DwarfFrame(code: code, stack: frame.stack, base: frame.base, end: frame.end, word: word))
        }
    }

    private func first<Found>(_ found: (FileSymbols) -> Found?) -> Found? {
        for file in files {
            if let found = found(file) { return found }
        }
        return nil
    }

    private static func libraryVariable(at address: UInt64) -> (name: String, start: UInt64)? {
        var start: UInt = 0
        guard let name = clab_variable_at(UInt(address), &start) else { return nil }
        return (String(cString: name), UInt64(start))
    }
}
