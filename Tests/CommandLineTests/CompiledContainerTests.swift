import Support
import Testing

/// Containers, strings and output streams of C++, whose code is partly in a library that does not tell of its accesses.
@Suite struct CompiledContainerTests {
    @Test(arguments: ["clang", "gcc"]) func `threads that share them with a lock are proved`(compiler: String) throws {
        let program = try compiler == "gcc" ? CProgram("containers", suffix: ".cpp", compiler: "gcc") : cpp
        try program.explore().exits(with: 0).prints("proved: none of ")
    }

    @Test(arguments: ["map", "set", "list", "table", "stream", "string", "walk", "settings"])
    func `a lock that is missing is a data race`(what: String) throws {
        try cpp.explore(arguments: [what]).exits(with: 1).prints("race: Data race: ")
    }

    @Test func `an index that is out of range is an assertion that fails`() throws {
        try cpp.explore(arguments: ["range"]).exits(with: 1).prints("assertion: ").prints("__pos <= size()")
    }

    private var cpp: CProgram { get throws { try CProgram("containers", suffix: ".cpp") } }
}
