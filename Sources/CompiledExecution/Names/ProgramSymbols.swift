import CCompiled
import CLab
import DebugInformation
import Execution
import Trace

/// What the program's files say about addresses in memory: functions, variables, source files and lines.
///
/// A file is read when an address is first looked up. A search without findings rarely looks one up.
final class ProgramSymbols: Sendable {
    struct Place {
        let file: String
        let line: Int
    }

    private let files: [FileSymbols]

    init(_ files: [ProgramFile]) { self.files = files.map(FileSymbols.init) }

    /// Reads the files now, for processes that are forked later.
    func prepare() { for file in files { file.prepare() } }

    /// The source line of the code at the address. Nil: the program was built without `-g`, or the code is not its own.
    func place(_ address: UInt64) -> Place? { first { $0.place(address) } }

    /// The function that contains the address, preceded by the functions inlined into it there, the innermost first.
    /// Each has the source line that it has reached. Empty: the program was built without `-g`, or the code is not its
    /// own.
    ///
    /// - Parameter withoutLibraries: whether functions from headers of the compiler, the system or the C++ library are
    ///   left out.
    func calls(at address: UInt64, withoutLibraries: Bool) -> [TraceDocument.Site.Call] {
        first { $0.calls(at: address) { withoutLibraries && Self.isOfLibrary($0) } } ?? []
    }

    /// The program's own calls at an address, as in `calls`, and for each of them whether its function is one that
    /// allocates memory for others.
    func callsAndAllocators(at address: UInt64) -> [(call: TraceDocument.Site.Call, isAllocator: Bool)] {
        first { $0.callsAndAllocators(at: address, without: Self.isOfLibrary) } ?? []
    }

    /// The source line of the call that returns to the address, such as `file.c:12`: the innermost line outside library
    /// headers, or, if there is none, the innermost line.
    func line(ofCall address: UInt64) -> String? {
        let code = address &- 1
        let call = calls(at: code, withoutLibraries: true).first ?? calls(at: code, withoutLibraries: false).first
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

    /// Whether a function begins at the address.
    func isStart(ofFunction address: UInt64) -> Bool { files.contains { $0.isStart(ofFunction: address) } }

    /// The linker's name of the variable that contains the address. It also finds variables that the source does not
    /// name, such as virtual tables and guards of static locals.
    func variableSymbol(at address: UInt64) -> String? { first { $0.variableSymbol(at: address) } }

    /// The global variable that contains the address, of the program or one of its libraries.
    func global(at address: UInt64) -> ProgramVariable? {
        if let found = first({ $0.global(at: address) }) { return found }
        return Self.libraryVariable(at: address).map { name, start in
            ProgramVariable(
                name: CxxName(name)?.text ?? name, start: start, part: DwarfTypes.Part(rest: address &- start))
        }
    }

    /// The thread-local variable that contains the address.
    ///
    /// - Parameter pointer: the thread pointer of the variable's thread.
    func threadLocal(at address: UInt64, _ pointer: UInt64) -> ProgramVariable? {
        // Nearer to the thread pointer are those of files with a smaller distance.
        files.compactMap { $0.threadLocal(at: address, pointer) }.first
    }

    /// The file of the function that is called in a frame. Nil: it is in none of the files.
    func file(of frame: compiled_frame_t) -> FileSymbols? { files.first { $0.hasFunction(at: frame.address &- 1) } }

    /// The local variable that contains the address.
    ///
    /// - Parameters:
    ///   - frame: a call in progress. If its code is in none of the files, there is no variable.
    ///   - word: reads eight bytes of the program's memory at an address.
    func local(at address: UInt64, in frame: compiled_frame_t, _ word: @escaping (UInt64) -> UInt64) -> ProgramVariable?
    {
        first { file in
            file.local(at: address, in: DwarfFrame(frame, file, word))
        }
    }

    /// What the first file that knows the answer says.
    private func first<Answer>(_ answer: (FileSymbols) -> Answer?) -> Answer? {
        for file in files {
            if let found = answer(file) { return found }
        }
        return nil
    }

    /// The variable at the address that a loaded library exports, and where it starts.
    private static func libraryVariable(at address: UInt64) -> (name: String, start: UInt64)? {
        var start: UInt = 0
        guard let name = clab_variable_at(UInt(address), &start) else { return nil }
        return (String(cString: name), UInt64(start))
    }
}

extension DwarfFrame {
    /// - Parameter word: reads eight bytes of the program's memory at an address.
    init(_ frame: compiled_frame_t, _ file: FileSymbols, _ word: @escaping (UInt64) -> UInt64) {
        // The frame has a return address, which may already be on the line after the call. The numbers are DWARF's.
        self.init(
            code: frame.address &- 1 &- file.loadOffset, stack: frame.stack, base: frame.base, end: frame.end,
            kept: [3: frame.rbx, 12: frame.r12, 13: frame.r13, 14: frame.r14, 15: frame.r15], word: word)
    }
}
