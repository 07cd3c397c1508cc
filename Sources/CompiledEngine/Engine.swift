import CCompiled
import CEngine
import ThreadLabCommandLine

/// The entry of the library that a compiled program loads: runs a command in the program's process.
///
/// - Parameter words: see `CCompiled.h`.
@_cdecl("threadlab_engine_main")
public func runEngine(_ program: UnsafeMutablePointer<compiled_program_t>, _ words: UnsafePointer<CChar>) {
    Lab.main(program, command: String(cString: words))
}
