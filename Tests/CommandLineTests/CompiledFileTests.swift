import Support
import Testing

/// Programs of more files than one: with shared libraries that tell of their accesses, and with the runtime as a library.
@Suite struct CompiledFileTests {
    @Test(arguments: Extent.compilers)
    func `the code of a library that was compiled as the program takes steps`(compiler: String) throws {
        let counts = try CProgram("counts", withShared: "counting.c", compiler: compiler)
        try counts.explore().exits(with: 0).prints("proved: none of 2 orders fails")
        try counts.alone().exits(with: 0)
        let race = try counts.explore(arguments: ["hasty"]).exits(with: 1)
            .prints("race: Data race: threads hasty and hasty 2 access total without synchronization.")
            .prints("counting.c:9     void count(void) { total++; }").prints("← counts.c:13  hasty")
        try counts.replays(race).prints("race: Data race: threads hasty and hasty 2 access total")
    }

    @Test func `what is almost a compiled program is answered with how to give one`() throws {
        let program = try CProgram("futexes")
        let wrong = [
            (
                ["explore", "./futexes.c"],
                "./futexes.c is not a program, but the source of one: build it with 'threadlab cc -- cc -g ./futexes.c "
                    + "-o ./futexes', and give the program, ./futexes"
            ),
            (
                ["run", "futexes.c"],
                "build it with 'threadlab cc -- cc -g futexes.c -o futexes', and give the program, ./futexes"
            ),
            (["explore", "futexes"], "unknown scenario 'futexes': did you mean './futexes'?"),
            (["futexes"], "unknown command 'futexes': did you mean 'threadlab explore ./futexes'?"),
            (
                ["explore", "./futexes", "lock"],
                "unexpected 'lock' after 'explore ./futexes': the program's own arguments follow '--': "
                    + "'threadlab explore ./futexes -- lock'"
            ),
            (
                ["cc", "gcc", "-g", "app.c"],
                "unknown option '-g' for 'cc': the compiler and its arguments follow '--': 'threadlab cc -- gcc -g app.c'"
            ),
        ]
        for (words, message) in wrong {
            try program.threadlab(words).exits(with: 2).complainsInOneLine(about: message)
        }
        try program.runs("/bin/chmod", ["a-x", "futexes"]).exits(with: 0)
        try program.threadlab(["explore", "./futexes"]).exits(with: 2)
            .complainsInOneLine(
                about: "./futexes is a program, but may not be executed: 'chmod +x ./futexes' permits it")
    }

    @Test func `an exit code does not hide the data race`() throws {
        let counts = try CProgram("counts", withShared: "counting.c", compiler: "clang")
        try counts.explore(arguments: ["hasty", "3"]).exits(with: 1).prints("error: main exits with code 3.")
            .prints(
                "The run has a data race too. Data race: threads hasty and hasty 2 access total without synchronization."
            )
    }

    @Test func `a saved run is of the libraries too`() throws {
        let counts = try CProgram("counts", withShared: "counting.c", compiler: "clang")
        try counts.explore("--save", "runs", arguments: ["hasty"]).exits(with: 1)
        let trace = "runs/counts-race-1.trace"
        try counts.threadlab(["replay", trace]).exits(with: 1).prints("race: Data race: ")
        try counts.buildShared("counting.c", "-O2")
        try counts.threadlab(["replay", trace]).complainsInOneLine(
            about: "counts was built again since the trace was saved")
    }

    @Test func `a library without what tells of its accesses, or of what it was made, keeps a search from a proof`()
        throws
    {
        let counts = try CProgram("counts", withShared: "counting.c", compiler: "clang")
        try counts.runs("/usr/bin/strip", ["-s", "libhelper.so"]).exits(with: 0)
        try counts.explore().exits(with: 0)
            .prints("No proof: libhelper.so has no list of symbols, which says what it was made of.")
        try CProgram("counts", library: "counting.c").explore().exits(with: 0)
            .prints("No proof: The program uses 'count', of which threadlab does not know what it accesses.")
    }

    @Test func `a program that gcc has built for ThreadSanitizer runs as it is`() throws {
        let counts = try CProgram("counts", forThreadSanitizerWithShared: "counting.c")
        try counts.explore().exits(with: 0).prints("no finding: in 2 executions")
            .prints("No proof: The program was not built by 'threadlab cc'")
        let race = try counts.explore(arguments: ["hasty"]).exits(with: 1)
            .prints("race: Data race: threads hasty and hasty 2 access total without synchronization.")
        try counts.replays(race).prints("race: Data race: threads hasty and hasty 2 access total")
        try counts.explore("--strategy", "random", "--runs", "50").exits(with: 0)
    }

    @Test(arguments: ["strcpy", "strcat", "strncpy", "memmove", "memset", "bzero", "sprintf"], Extent.compilers)
    func `a function that a compiler could replace tells of its accesses`(which: String, compiler: String) throws {
        let program =
            try compiler == "gcc" ? CProgram("replaced", compiler: "gcc", flags: ["-O1"]) : CProgram("replaced")
        try program.explore(arguments: [which]).exits(with: 1).prints(
            "race: Data race: threads main and look access text")
    }

    @Test(arguments: [CProgram.clang, "gcc"])
    func `a library that the program loads is loaded before executions, and its code takes steps`(compiler: String)
        throws
    {
        let loads = try CProgram("loads", beside: "loaded.c", compiler: compiler)
        try loads.buildShared("loaded.c", compiler: compiler)
        try loads.explore(arguments: ["./libhelper.so"]).exits(with: 0).prints("no finding: in 2 executions")
            .prints("No proof: The program uses 'dlopen'")
        try loads.explore("--strategy", "random", "--runs", "500", arguments: ["./libhelper.so"]).exits(with: 0)
        let race = try loads.explore(arguments: ["hasty"]).exits(with: 1)
            .prints("race: Data race: threads work and work 2 access total without synchronization.")
            .prints("← loads.c:14")
        try loads.replays(race).prints("race: Data race: threads work and work 2 access total")
    }

    @Test func `a library that tells of no accesses is loaded before executions, too`() throws {
        let loads = try CProgram("loads", beside: "loaded.c")
        try loads.runs("/usr/bin/gcc", ["-shared", "-fPIC", "loaded.c", "-o", "plain.so"]).exits(with: 0)
        try loads.explore("--strategy", "random", "--runs", "500", arguments: ["./plain.so"]).exits(with: 0)
        try loads.explore(arguments: ["./none.so"]).exits(with: 1).prints("error: main exits with code 3.")
    }

    @Test func `a thread that the constructor of a loaded library starts is under control`() throws {
        let loads = try CProgram("loads", beside: "starting.c")
        try loads.buildShared("starting.c")
        try loads.explore(arguments: ["./libhelper.so"]).exits(with: 0)
    }

    @Test func `a program is not linked statically, because it loads the engine`() throws {
        let counts = try CProgram("counts", withShared: "counting.c", compiler: "clang")
        try counts.threadlab(["cc", "--", "/usr/bin/gcc", "-static", "counts.c", "counting.c", "-o", "whole"])
            .exits(with: 2).complainsInOneLine(about: "cannot load threadlab's engine: leave out -static")
    }

    @Test(arguments: [
        ("-fsanitize=address", "cannot be combined with threadlab"), ("-nostdlib", "needs the C library"),
        ("-Wl,--exclude-libs,ALL", "would hide threadlab's functions"),
        ("-Wl,--version-script=none", "would hide threadlab's functions"),
        ("-fno-sanitize=thread", "would leave out what tells threadlab"),
    ])
    func `an option with which a program cannot run under the scheduler is refused`(option: String, reason: String)
        throws
    {
        let counts = try CProgram("counts", withShared: "counting.c", compiler: "clang")
        try counts.threadlab(["cc", "--", "/usr/bin/gcc", option, "counts.c", "counting.c", "-o", "whole"])
            .exits(with: 2).complainsInOneLine(about: reason)
    }

    @Test(
        arguments: [
            ["-Wl,--gc-sections"], ["-x", "c"], ["--coverage"], ["-pg"], ["-fsanitize=undefined"], ["-Werror", "-O2"],
        ], [CProgram.clang, "gcc"])
    func `an option that has nothing to do with threads changes nothing`(options: [String], compiler: String) throws {
        let counts = try CProgram("counts", withShared: "counting.c", compiler: "clang")
        try counts.threadlab(["cc", "--", compiler] + options + ["counts.c", "counting.c", "-o", "counts"]).exits(
            with: 0
        )
        .isSilent()
        try counts.explore().exits(with: 0).prints("proved: none of 2 orders fails")
    }

    @Test func `a header that is compiled beforehand is not linked`() throws {
        let counts = try CProgram("counts", withShared: "counting.c", compiler: "clang")
        try counts.write("all.h", "#include <stdio.h>\n")
        for compiler in [CProgram.clang, "gcc"] {
            try counts.threadlab(["cc", "--", compiler, "-x", "c-header", "all.h", "-o", "all.pch"]).exits(with: 0)
                .isSilent()
        }
    }

    @Test func `lines are found from any folder`() throws {
        let counts = try CProgram("counts", withShared: "counting.c", compiler: "clang")
        let program = counts.folderPath + "/counts"
        try Invocation(program: Programs.threadlab, arguments: ["explore", program, "--", "hasty"]).inDirectory("/")
            .wide.run()
            .exits(with: 1).prints("void count(void) { total++; }")
    }

    @Test func `compiled programs have executions of sequential consistency alone`() throws {
        try CProgram("counts", withShared: "counting.c", compiler: "clang").explore("--model", "tso").exits(with: 2)
            .complainsInOneLine(about: "compiled programs are searched under sequential consistency only")
    }

    @Test func `an access behind the end of a block is an error`() throws {
        let overruns = try CProgram("overruns")
        try overruns.replays(
            try overruns.explore().exits(with: 1).prints(
                "error: fill uses memory behind the end of block from overruns.c:13, which has 48 bytes."
            ).prints("main had allocated it at overruns.c:13.")
        ).prints("behind the end of block from overruns.c:13")
    }

    @Test(arguments: ["write", "word", "copy", "print"])
    func `so is one of the bytes behind a block that has an odd size`(way: String) throws {
        try CProgram("exact").explore(arguments: [way]).exits(with: 1)
            .prints("error: use uses memory behind the end of block from exact.c:33, which has 5 bytes.")
    }

    @Test(arguments: ["before", "beside", "moved"])
    func `what is freed is a block`(way: String) throws {
        try CProgram("exact").explore(arguments: [way]).exits(with: 1)
            .prints("misuse: use freed an address at which no block of memory begins.")
    }

    @Test func `forms of new and delete that a program does not replace call those that it does`() throws {
        let program = try CProgram("forms", suffix: ".cpp")
        try program.alone([]).exits(with: 0)
        try program.explore("--runs", "20").exits(with: 0).doesNotPrint("error").doesNotPrint("leak: ")
    }

    @Test func `and all bytes of such a block can be used`() throws {
        try CProgram("exact").explore().exits(with: 0).prints("proved: ")
    }
}
