import Support
import Testing

/// What the C++ library does for several threads in code that does not tell of its accesses: exceptions, streams into strings, and pointers.
@Suite struct CompiledLibraryTests {
    @Test(arguments: Extent.compilers, ["", "copied", "asked", "early"])
    func `exceptions that threads hand to each other are proved`(compiler: String, what: String) throws {
        try program("exceptions", compiler).explore(arguments: [what]).exits(with: 0).prints("proved: none of ")
    }

    @Test(arguments: Extent.compilers, ["published", "taken", "moved", "ended", "derived"])
    func `what makes, moves or destroys an exception that another thread looks at is a data race`(
        compiler: String, what: String
    ) throws {
        try program("exceptions", compiler).explore(arguments: [what]).exits(with: 1).prints("race: Data race: ")
    }

    @Test(arguments: Extent.compilers)
    func `the text of an exception is used after it was destroyed`(compiler: String) throws {
        try program("exceptions", compiler).explore(arguments: ["kept"]).exits(with: 1)
            .prints("frees block from exceptions.cpp:14 while main reads kept[0]")
    }

    @Test(arguments: Extent.compilers, Extent.part(of: ["-O2", "-O0"], every: 2))
    func `threads with streams of their own, into strings and from them, are proved`(compiler: String, level: String)
        throws
    {
        let texts = try program("texts", compiler, level)
        try texts.explore().exits(with: 0).prints("proved: none of 2 orders ")
        for what in Extent.part(of: ["written", "read", "lines", "buffer"], every: 2) {
            try texts.explore(arguments: [what, "locked"]).exits(with: 0).prints("proved: none of 2 orders ")
            try texts.explore(arguments: [what]).exits(with: 1).prints("race: Data race: ")
        }
    }

    @Test(arguments: Extent.compilers)
    func `bytes that a buffer is given, and a stream that is tied to another, are seen`(compiler: String) throws {
        let texts = try program("texts", compiler)
        for what in ["put", "got", "tied"] {
            try texts.explore(arguments: [what]).exits(with: 1).prints("race: Data race: ")
        }
        try texts.explore(arguments: ["derived"]).exits(with: 0)
            .prints("No proof: The program has called 'std::ostream'")
    }

    @Test(arguments: Extent.compilers)
    func `regular expressions that threads make at the same time are no data race`(compiler: String) throws {
        try program("texts", compiler, "-O1").explore(arguments: ["shapes"]).exits(with: 0).prints("proved: ")
    }

    @Test func `memory that the library releases by itself, and another thread has used, is no part of a proof`() throws
    {
        try program("texts", "clang", "-O2").explore(arguments: ["grown"]).exits(with: 0)
            .prints("No proof: A library has released memory that other")
    }

    @Test(arguments: Extent.compilers)
    func `an atomic pointer's loads and stores are no data race`(compiler: String) throws {
        let pointers = try program("pointers", compiler)
        try pointers.explore("--runs", "200").exits(with: 0)
        try pointers.explore(arguments: ["exchanged"]).exits(with: 0)
            .prints("No proof: The program has called 'std::atomic<std::shared_ptr>::load'")
        try pointers.explore(arguments: ["own"]).exits(with: 1).prints("race: Data race: ").prints("access value")
    }

    private func program(_ name: String, _ compiler: String, _ flags: String...) throws -> CProgram {
        try compiler == "gcc"
            ? CProgram(name, suffix: ".cpp", compiler: "gcc", flags: flags)
            : CProgram(name, suffix: ".cpp", flags: flags)
    }
}
