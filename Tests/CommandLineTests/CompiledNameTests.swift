import Support
import Testing

/// What reports call the memory and the locks of compiled programs: as their source does.
@Suite struct CompiledNameTests {
    private static let builds = Extent.first(
        2, of: [("clang", "-O2"), ("gcc", "-O0"), ("clang", "-O0"), ("gcc", "-O2")])

    private func cpp(_ build: (compiler: String, level: String)) throws -> CProgram {
        build.compiler == "gcc"
            ? try CProgram("variables", suffix: ".cpp", compiler: "gcc", flags: [build.level])
            : try CProgram("variables", suffix: ".cpp", flags: [build.level])
    }

    private func c(_ build: (compiler: String, level: String), _ flags: String...) throws -> CProgram {
        build.compiler == "gcc"
            ? try CProgram("parts", compiler: "gcc", flags: [build.level] + flags)
            : try CProgram("parts", flags: [build.level] + flags)
    }

    /// With one blank between words.
    private func text(_ ended: Ended) -> String {
        ended.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test(arguments: builds)
    func `local variables that threads have by reference are called by their names`(build: (String, String)) throws {
        let program = try cpp(build)
        let expected = [
            ("count", "access counter without synchronization. "), ("count", "lock guard"),
            ("transfers", "holds bank.accounts[0].lock (taken"), ("transfers", "waits for bank.accounts[2].lock at"),
            ("days", "access bank.days[1][2].done without"), ("numbers", "access bank.number without"),
            ("log", "access bank.log.second without"),
        ]
        // Of a mutex that it knows to be zero, clang does not say where it is.
        for (choice, part) in expected where build != ("clang", "-O2") || part != "lock guard" {
            let text = text(try program.explore(arguments: [choice]).exits(with: 1))
            #expect(text.contains(part), "\(part) in \(text)")
        }
    }

    @Test(arguments: [("clang", "-O0"), ("gcc", "-O0")])
    func `what has no name is called by a reference to it`(build: (String, String)) throws {
        #expect(text(try cpp(build).explore(arguments: ["given"]).exits(with: 1)).contains("write values[1] without"))
    }

    @Test(arguments: builds)
    func `a variable where another one was before is not called by that one's name`(build: (String, String)) throws {
        let text = text(try cpp(build).explore(arguments: ["late"]).exits(with: 1))
        #expect(text.contains("writes second"), "\(text)")
    }

    @Test func `variables of the same name are told apart`() throws {
        let text = text(try cpp(("clang", "-O0")).threadlab(["run", "./variables", "--seed", "4", "--", "own"]))
        #expect(text.contains(" mine ") && text.contains(" mine of own"), "\(text)")
    }

    private static let parts = [
        ("points", "points[1][2].y"), ("value", "value.number"), ("inner", "inner"), ("text", "text[5]"),
        ("sum", "sum"),
        ("flags", "flags[1]"), ("bits", "low/high"), ("locks", "locks[1]"),
    ]

    @Test(arguments: builds, ["local", "shared"])
    func `parts of variables are called as the source calls them`(build: (String, String), place: String) throws {
        let program = try c(build)
        for (choice, part) in Self.parts {
            let text = text(try program.explore(arguments: [place, choice]).exits(with: 1))
            #expect(text.contains(" \(place).\(part) "), "\(place).\(part) in \(text)")
        }
    }

    @Test(arguments: Extent.compilers) func `version 4 of what compilers write for debuggers is read too`(
        compiler: String
    ) throws {
        let program = try c((compiler, "-O2"), "-gdwarf-4")
        for place in ["local", "shared"] {
            let text = text(try program.explore(arguments: [place, "points"]).exits(with: 1))
            #expect(text.contains("access \(place).points[1][2].y without"), "\(text)")
        }
    }

    @Test(arguments: Extent.compilers)
    func
        `variables of a function that keep their values have their names, and so have arrays whose length the function computes`(
            compiler: String
        ) throws
    {
        let program = try c((compiler, "-O0"))
        #expect(
            text(try program.explore(arguments: ["shared", "calls"]).exits(with: 1)).contains("access calls without"))
        #expect(
            text(try program.explore(arguments: ["local", "counted"]).exits(with: 1)).contains(
                "access numbers[4] without"))
    }

    /// What is accessed with the argument, and what reports call it.
    private static let blocks = [
        ("member", "access q->head without"), ("global", "access shared->tail without"),
        ("inner", "access q->first->value without"), ("element", "access accounts[2].balance without"),
        ("value", "access values[3] without"), ("lock", "waits for q->lock"),
        ("raw", "access block from blocks.c:71+200 without"), ("thread", "access counter of main without"),
    ]

    @Test(arguments: builds, blocks)
    func `memory of the heap is called as the function that accesses it does`(
        build: (String, String), block: (choice: String, says: String)
    ) throws {
        let program =
            build.0 == "gcc"
            ? try CProgram("blocks", compiler: "gcc", flags: [build.1]) : try CProgram("blocks", flags: [build.1])
        let text = text(try program.explore(arguments: [block.choice]).exits(with: 1))
        // With optimization, clang forgets the parameter once it is not needed, and makes a variable of a block.
        let others =
            build == ("clang", "-O2")
            ? [block.says.replacing("q->", with: "shared->"), block.says.replacing("[3]", with: ".body+12")] : []
        #expect(([block.says] + others).contains { text.contains($0) }, "\(block.says) in \(text)")
        #expect(!text.contains("blocks.c:32"), "a block is called by the line in xmalloc: \(text)")
    }

    @Test func `different blocks that are reached by one name are told apart`() throws {
        let program = try CProgram("blocks", flags: ["-O0"])
        let shown = try program.threadlab(["run", "./blocks", "--seed", "1", "--format", "lanes", "--all", "--", "own"])
            .output
        #expect(shown.contains("own->balance ") && shown.contains("own->balance (account "), "\(shown)")
    }

    @Test func `a pointer is null or what it points to, also in a saved trace`() throws {
        let program = try CProgram("blocks", flags: ["-O0"])
        func run(_ format: String) throws -> String {
            try program.threadlab(["run", "./blocks", "--seed", "1", "--format", format, "--", "pointer"]).output
        }
        try program.write("saved.jsonl", run("json"))
        for shown in [
            try run("lanes"), try program.threadlab(["trace", "saved.jsonl", "--format", "lanes"]).output,
        ] {
            #expect(shown.contains("read q->first = null"), "\(shown)")
            #expect(shown.contains("write q->first = item 1+16 "), "\(shown)")
        }
    }

    @Test(
        arguments: Extent.compilers,
        [
            ("member", "access Queue::size without"), ("unique", "access Queue::first->value without"),
            ("vector", "access Queue::items[1].value without"), ("captured", "access queue->size without"),
        ])
    func `memory of C++ is called by its class, its smart pointer or its container`(
        compiler: String, block: (choice: String, says: String)
    ) throws {
        let program = try CProgram("blocks", suffix: ".cpp", compiler: compiler == "gcc" ? "gcc" : CProgram.clang)
        let text = text(try program.explore(arguments: [block.choice]).exits(with: 1))
        #expect(text.contains(block.says), "\(block.says) in \(text)")
    }
}
