import FoundationEssentials
import Glibc
import Testing

/// `export` of graphs, and `diff`, as commands. What they show is tested in ReportsTests.
@Suite struct GraphCommandTests {
    private static let deadlock = "0x2,2x2,1x3,2"

    @Test func `a graph is printed, or written for Graphviz, or drawn by it`() throws {
        let directory = try TemporaryDirectory()
        let (dot, svg) = (directory.file("g.dot"), directory.file("g.svg"))
        let printed = try threadlab("export", "deadlock", "--schedule", Self.deadlock).run().succeeds()
            .prints("red: a cycle")
        try threadlab("export", "deadlock", "--schedule", Self.deadlock, dot, "--as", "waits").run().succeeds()
            .prints("\(dot): the run of deadlock, ")
        #expect(Files.text(dot) == printed.output)
        guard access("/usr/bin/dot", X_OK) == 0 else {
            try threadlab("export", "deadlock", svg, "--as", "waits").run().exits(with: 3).complainsInOneLine(
                about: "Graphviz")
            return
        }
        try threadlab("export", "deadlock", svg, "--as", "waits").run().succeeds()
        #expect(try #require(Files.text(svg)).contains("</svg>"))
        #expect(directory.names == ["g.dot", "g.svg"])
    }

    @Test func `a graph of waits without waits says where to find some`() throws {
        try threadlab("export", "deadlock", "--variant", "ordered", "--as", "waits").run().exits(with: 0)
            .prints("no thread waits at the end of the run")
            .complainsInOneLine(about: "'threadlab explore' prints the schedule of a run in which one does")
    }

    @Test func `a saved trace has graphs too`() throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("run.trace")
        try threadlab("run", "lost-update", "--seed", "3", "--save", file, "--format", "none").run()
        try threadlab("export", file, "--as", "order").run().succeeds().prints("no order")
        try threadlab("export", file, "--as", "locks").run().succeeds().prints("digraph")
        try threadlab("export", file, "--seed", "1").run().exits(with: 2).complainsInOneLine(about: "omit --seed")
    }

    @Test func `what is not there is one clear message`() throws {
        try threadlab("export", "deadlock", "--variant", "ordered", "--as", "order").run().exits(with: 2)
            .complainsInOneLine(about: "has no data race")
        try threadlab("export", "nowhere").run().exits(with: 2).complainsInOneLine(about: "nowhere")
        try threadlab("export", "deadlock", "--schedule", "9x9").run().exits(with: 2)
            .complainsInOneLine(about: "the schedule does not fit")
        try threadlab("export", "deadlock", "--locks").run().exits(with: 2).complainsInOneLine(about: "--as locks")
    }

    @Test func `a broken variant and its fix differ from where the fix acts`() throws {
        try threadlab("diff", "deadlock", "--with", "ordered", "--schedule", Self.deadlock).wide.run()
            .exits(with: 1).isSilent()
            .prints("the same; then here second locks b").prints("there second locks a")
            .prints("Here the run ends in deadlock")
        try threadlab("diff", "deadlock", "deadlock").run().succeeds().prints("The two runs are the same")
    }

    @Test func `two traces, or two programs, are compared`() throws {
        let directory = try TemporaryDirectory()
        let (one, two) = (directory.file("one.trace"), directory.file("two.trace"))
        for (file, seed) in [(one, "1"), (two, "3")] {
            try threadlab("run", "lost-update", "--seed", seed, "--save", file, "--format", "none").run()
        }
        try threadlab("diff", one, two).run().exits(with: 1).isSilent().prints("there: \(two)")
        try threadlab("diff", one, one).run().succeeds()
        try threadlab("diff", "lost-update", "lost-update-fixed").run().exits(with: 1).isSilent().prints("then")
        try threadlab("diff", one, "--with", "nope").run().exits(with: 2)
            .complainsInOneLine(about: "lost-update has no variants")
        try threadlab("diff", "deadlock", "--with", "nope").run().exits(with: 2).complainsInOneLine(about: "nope")
    }

    @Test func `one run is not enough, and a native run has no schedule`() throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("native.trace")
        try threadlab("diff", "deadlock").run().exits(with: 2).complainsInOneLine(about: "--with")
        try threadlab("run", "shutdown", "--save", file, "--format", "none").run()
        try threadlab("diff", file, "shutdown").run().exits(with: 2).complainsInOneLine(about: "no schedule to follow")
        try threadlab("diff", "deadlock", "deadlock", "--with", "ordered").run().exits(with: 2)
            .complainsInOneLine(about: "either B or")
    }
}
