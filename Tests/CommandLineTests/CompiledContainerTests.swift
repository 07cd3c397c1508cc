import Glibc
import Support
import Testing

/// Containers, strings and output streams of C++, whose code is partly in a library that does not tell of its accesses.
@Suite struct CompiledContainerTests {
    @Test(arguments: Extent.compilers) func `threads that share them with a lock are proved`(compiler: String) throws {
        let program = try compiler == "gcc" ? CProgram("containers", suffix: ".cpp", compiler: "gcc") : cpp
        try program.explore().exits(with: 0).prints("proved: none of ")
    }

    @Test(arguments: ["map", "set", "list", "table", "string", "walk", "erased"])
    func `a lock that is missing is a data race`(what: String) throws {
        try cpp.explore(arguments: [what]).exits(with: 1).prints("race: Data race: ")
    }

    @Test func `memory that the library releases for the program, and another thread uses, is found`() throws {
        try cpp.explore(arguments: ["freed"]).exits(with: 1).prints("race: Data race: ").prints("containers.cpp:85")
    }

    @Test(arguments: Extent.compilers) func `streams are written to in turn, and std::cout at once`(compiler: String)
        throws
    {
        try streams(compiler).explore().exits(with: 0).prints("proved: none of ")
    }

    @Test(arguments: ["shared", "filled", "precise", "read"]) func `a stream that is changed meanwhile is a data race`(
        what: String
    ) throws {
        let report = try streams("clang").explore(arguments: [what]).exits(with: 1).prints("race: Data race: ")
        if what == "precise" { report.prints("std::cout+16") }
    }

    /// A name that is wrong is never called.
    @Test func `the library has all functions of C++ that the runtime stands before`() throws {
        // A program in C has no functions of C++ of its own.
        let list = try CProgram("deadlock").symbols()
        let library = try #require(dlopen("libstdc++.so.6", RTLD_NOW))
        let names = list.split(separator: "\n").compactMap { line -> String? in
            let words = line.split(separator: " ")
            guard words.count == 3, words[1] == "W", words[2].hasPrefix("_Z") || words[2] == "__dynamic_cast" else {
                return nil
            }
            return String(words[2])
        }
        #expect(names.count > 80)
        for name in names { #expect(dlsym(library, name) != nil, "\(name)") }
    }

    @Test func `an index that is out of range is an assertion that fails`() throws {
        try cpp.explore(arguments: ["range"]).exits(with: 1).prints("assertion: ").prints("__pos <= size()")
    }

    private var cpp: CProgram { get throws { try CProgram("containers", suffix: ".cpp") } }

    private func streams(_ compiler: String) throws -> CProgram {
        try compiler == "gcc"
            ? CProgram("streams", suffix: ".cpp", compiler: "gcc") : CProgram("streams", suffix: ".cpp")
    }
}
