import Support
import Testing

/// By which calls the places of a finding were reached, in compiled programs.
@Suite struct CompiledStackTests {
    private static let builds = Extent.first(
        2, of: [("clang", "-O0"), ("gcc", "-O2"), ("clang", "-O2"), ("gcc", "-O0")])

    private func program(_ build: (compiler: String, level: String)) throws -> CProgram {
        build.compiler == "gcc"
            ? try CProgram("stacks", suffix: ".cpp", compiler: "gcc", flags: [build.level])
            : try CProgram("stacks", suffix: ".cpp", flags: [build.level])
    }

    /// The lines of a report, with one blank between words.
    private func lines(_ ended: Ended) -> [String] {
        ended.output.split(separator: "\n").map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    }

    @Test(arguments: builds)
    func `locks that are held and awaited have their calls, inlined ones too`(build: (String, String)) throws {
        let lines = lines(try program(build).explore(arguments: ["locks"]).exits(with: 1))
        let awaited = try #require(lines.firstIndex { $0.hasPrefix("Bank::back: waits for bank") }, "\(lines)")
        #expect(
            Array(lines[awaited + 1..<awaited + 5]) == [
                "stacks.cpp:17 std::lock_guard<std::mutex> two(to.mutex);", "in take", "← stacks.cpp:23 Bank::transfer",
                "← stacks.cpp:24 Bank::back",
            ])
        let held = try #require(lines.firstIndex { $0.hasPrefix("lambda in lock: lock bank") }, "\(lines)")
        #expect(lines[held + 2] == "in take" && lines[held + 3] == "← stacks.cpp:23 Bank::transfer")
        #expect(lines[held + 4].hasPrefix("← stacks.cpp:30 lambda"), "\(lines[held + 4])")
    }

    @Test(arguments: [("clang", "-O0"), ("gcc", "-O2")])
    func `memory that was freed has the calls of its release and its allocation`(build: (String, String)) throws {
        let lines = lines(try program(build).explore(arguments: ["freed"]).exits(with: 1))
        let text = lines.joined(separator: "\n")
        for part in [
            "error: main uses memory that was freed: *number (block from stacks.cpp:34).",
            "drop had freed it at stacks.cpp:35.",
            "main had allocated it at stacks.cpp:34.", "in look\n← stacks.cpp:42 use_freed",
            "in make\n← stacks.cpp:39 use_freed",
        ] { #expect(text.contains(part), "\(part) in \(text)") }
    }

    @Test(arguments: [("clang", "-O2"), ("gcc", "-O0")])
    func `a crash, an assertion and an exception have their calls`(build: (String, String)) throws {
        let program = try program(build)
        let expected = [
            "crash": [
                "crash: main crashed at stacks.cpp:45: it read through a null pointer", "in below",
                "stacks.cpp:60 main",
            ],
            "assertion": [
                "assertion: An assertion failed: number == expected", "in Checker::check",
                "stacks.cpp:49 Checker::operator()",
            ],
            "thrown": [
                "crash: main crashed at stacks.cpp:53: it did not catch an exception: std::runtime_error: no such account.",
                "in fail", "stacks.cpp:62 main",
            ],
        ]
        for (mistake, parts) in expected {
            let text = lines(try program.explore(arguments: [mistake]).exits(with: 1)).joined(separator: "\n")
            for part in parts { #expect(text.contains(part), "\(part) in \(text)") }
        }
    }

    @Test func `pages and saved traces have the calls, and without the source its functions are shown`() throws {
        let program = try program(("clang", "-O0"))
        try program.explore("--save", "saved", "--html", "page.html", arguments: ["locks"]).exits(with: 1)
        #expect(try program.read("saved/stacks-deadlock-1.trace").contains(#"{"in":"take","at":"stacks.cpp:17"}"#))
        #expect(try program.read("page.html").contains("Bank::transfer"))
        try program.remove("stacks.cpp")
        let lines = lines(try program.threadlab(["trace", "saved/stacks-deadlock-1.trace", "--findings"]))
        #expect(lines.contains("stacks.cpp:17 take") && lines.contains("← stacks.cpp:23 Bank::transfer"), "\(lines)")
    }

    @Test func `what a program exits with is said as such`() throws {
        try CProgram("endings").explore(arguments: ["quick_exit"]).exits(with: 1)
            .prints("error: end exits with code 3.")
    }
}
