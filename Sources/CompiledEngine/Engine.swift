import CCompiled
import CEngine
import ThreadLabCommandLine

/// The entry point of the library that the runtime of a compiled program loads (`COMPILED_ENTRY` in `CCompiled.h`):
/// runs a command of threadlab in the program's process, and exits.
///
/// - Parameters:
///   - program: the program in this process.
///   - words: the command line, with the length of each word in front of it.
@_cdecl("threadlab_engine_main")
public func runEngine(_ program: UnsafeMutablePointer<compiled_program_t>, _ words: UnsafePointer<CChar>) {
    Lab.main(program, command: String(cString: words))
}
