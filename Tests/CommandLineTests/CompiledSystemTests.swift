import Testing

/// What compiled programs ask of the C library that it would do by signals or threads of its own, and what they tell ThreadSanitizer.
@Suite struct CompiledSystemTests {
    @Test
    func `keys that were deleted are free again, without their values, and there are as many as the C library has`()
        throws
    {
        let program = try CProgram("keys")
        try program.explore().exits(with: 0).prints("no finding: in 1 execution")
        try program.alone().succeeds()
    }

    @Test func `functions for which the C library makes threads are refused`() throws {
        let program = try CProgram("threaded")
        for name in ["aio_read", "aio_write", "aio_suspend", "lio_listio", "mq_notify", "getaddrinfo_a"] {
            try program.explore(arguments: [name]).exits(with: 1)
                .prints("calls '\(name)', which threadlab does not support")
        }
    }

    @Test func `a program sets who runs it, and nothing is proved of it`() throws {
        let program = try CProgram("identities")
        try program.explore().exits(with: 0).prints("no finding: in 1 execution").prints("No proof: ")
        try program.alone().succeeds()
    }

    @Test func `what a program tells ThreadSanitizer can be linked, and hides no race`() throws {
        let program = try CProgram("annotated")
        try program.explore().exits(with: 0).prints("proved: the only order passes, under any memory model.")
        for way in ["race", "load"] {
            try program.explore(arguments: [way]).exits(with: 1).prints("race: Data race: ").prints("value")
        }
        try program.explore(arguments: ["fiber"]).exits(with: 1).prints("switches between stacks of its own")
        try program.alone(["fiber"]).succeeds()
    }
}
