import Glibc
import Testing

/// `explore --divide`, `work` and `merge` of searches by graphs and by states.
@Suite struct DividedProverTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func write(_ name: String, _ text: String) throws {
        _ = try directory.write("\(name).lab", Array("scenario \"\(name)\"\n\(text)\n".utf8))
    }

    @discardableResult private func run(_ words: [String]) throws -> Ended {
        try Invocation(program: Programs.threadlab, arguments: words).inDirectory(directory.path).run()
    }

    @discardableResult private func run(_ words: String) throws -> Ended {
        try run(words.split(separator: " ").map(String.init))
    }

    private func results(_ folder: String, _ count: Int) throws -> [String] {
        try (1...count).map { number in
            try run("work \(folder)/\(number).task").succeeds().prints("task \(number): ")
            return "\(folder)/\(number).result"
        }
    }

    // MARK: - Graphs

    /// 49,392 graphs.
    private static let graphs = """
        atomic x = 0, y = 0
        thread a { repeat 3 { x.add(1, relaxed) }; y.store(1, relaxed) }
        thread b { repeat 2 { x.add(1, relaxed) }; y.store(2, relaxed) }
        thread c { let v = y.load(relaxed); let w = x.load(relaxed); let u = x.load(relaxed); x.store(7, relaxed) }
        thread d { let v = y.load(relaxed); let w = x.load(relaxed) }
        """

    @Test func `tasks of a search of graphs have together the result of one machine`() throws {
        try write("weak", Self.graphs)
        let whole = try run("explore weak.lab --model rc11 --strategy graphs --time 10m")
        try run("explore weak.lab --model rc11 --divide 3 --to tasks --time 10m").succeeds()
            .prints("divided: 3 tasks with 64 parts of the search")
        let results = try results("tasks", 3)
        let joined = try run(["work", "--merge"] + results.reversed())
        #expect(joined.output == whole.output && joined.code == whole.code)
        #expect(joined.output.contains("proved: none of 49,392 graphs fails, under rc11."))
        try run(["work", "--merge"] + results.dropLast()).exits(with: 2).printsNothing()
            .complainsInOneLine(about: "the result of task 3 is missing")
    }

    @Test func `what of the graphs does not fit into its time becomes new tasks`() throws {
        try write("weak", Self.graphs)
        try run("explore weak.lab --model rc11 --divide 2 --to tasks --time 10m").succeeds()
        try run("work tasks/1.task --time 1ms").succeeds().prints("what is left is")
        var open = ["2"] + (1...16).map { "1.\($0)" }.filter { access(directory.file("tasks/\($0).task"), F_OK) == 0 }
        let all = ["1"] + open
        while let name = open.popLast() { try run("work tasks/\(name).task").succeeds() }
        try run(["work", "--merge"] + all.map { "tasks/\($0).result" }).exits(with: 0)
            .prints("proved: none of 49,392 graphs fails, under rc11.")
    }

    @Test func `a search of graphs that counts outcomes is not divided, and neither is a program that has no graphs`()
        throws
    {
        try write("weak", Self.graphs)
        try run("explore weak.lab --model rc11 --divide 2 --to tasks --outcomes").exits(with: 2).printsNothing()
            .complainsInOneLine(about: "leave out --outcomes")
        try write(
            "waits", "mutex m\ncondition c with m\natomic x = 0\nthread a { x.add(1, relaxed); lock m { c.signal() } }")
        try run("explore waits.lab --model rc11 --divide 2 --to tasks").exits(with: 2).printsNothing()
            .complainsInOneLine(about: "has no search by graphs yet")
        #expect(access(directory.file("tasks"), F_OK) != 0)
    }

    // MARK: - States

    private static func states(rounds: Int) -> String {
        """
        mutex m
        condition notFull with m, notEmpty with m
        shared used = 0
        atomic rounds = 0
        thread producer[2] {
            repeat \(rounds) { lock m { while used == 1 { notFull.wait() }; used = used + 1; notEmpty.signal() }; rounds.add(1) }
        }
        thread consumer[2] {
            repeat \(rounds) { lock m { while used == 0 { notEmpty.wait() }; used = used - 1; notFull.signal() } }
        }
        """
    }

    @Test func `searches of states that have not enough memory prove nothing, and say what they have visited`() throws {
        try write("buffer", Self.states(rounds: 300))
        try run("explore buffer.lab --strategy states --memory 16 --time 10m --divide 3 --to tasks").succeeds()
            .prints("the first is that of one machine, the others look in orders of their own, and prove nothing")
        let results = try results("tasks", 3)
        let joined = try run(["work", "--merge"] + results).exits(with: 1).doesNotPrint("proved").prints(
            "undecided: none of "
        )
        .prints("that were visited ends an execution").prints("3 searches, each in an order of its own")
        try run(["work", "--merge"] + results.dropFirst()).exits(with: 2).printsNothing()
            .complainsInOneLine(about: "the result of task 1 is missing")
        // The same again.
        unlink(directory.file("tasks/2.result"))
        try run("work tasks/2.task").succeeds()
        #expect(try run(["work", "--merge"] + results).output == joined.output)
        // With less time, what was visited is the result, and nothing is left.
        unlink(directory.file("tasks/3.result"))
        try run("work tasks/3.task --time 1ms").succeeds().doesNotPrint("left")
        try run(["work", "--merge"] + results).exits(with: 1).doesNotPrint("proved").prints("undecided: ")
    }

    @Test func `the whole search proves what one machine proves`() throws {
        try write("small", Self.states(rounds: 8))
        for spurious in ["0", "1"] {
            let search = "explore small.lab --spurious \(spurious) --strategy states --time 10m"
            let whole = try run(search).succeeds().prints("proved: none of ")
            try run("\(search) --divide 2 --to tasks\(spurious)").succeeds().prints("divided: 2 tasks ")
            let joined = try run(["work", "--merge"] + results("tasks\(spurious)", 2))
            #expect(joined.output == whole.output && joined.code == whole.code)
        }
    }

    @Test func `what is divided allows the spurious wake-up at once, and one machine after all else`() throws {
        try write("small", Self.states(rounds: 8))
        try run("explore small.lab --strategy states --time 10m").succeeds().prints(
            "proved: none of 105,871 states fails, nor any of 221,717 with a spurious\n  wake-up, under any memory model. "
        )
        try run("explore small.lab --strategy states --time 10m --divide 2 --to tasks").succeeds()
            .prints("divided: 2 tasks ")
        try run(["work", "--merge"] + results("tasks", 2)).succeeds().prints(
            "proved: none of 221,717 states fails, with at most one spurious wake-up, under\n  any memory model. ")
    }

    /// All executions end in it, after more states than 16 MB have room for.
    @Test func `what does not fit into one machine is found by another order`() throws {
        let threads = ["a", "b", "c", "d", "e"].map { "thread \($0) { repeat 40 { x.add(1) } }" }.joined(
            separator: "\n")
        try write("deep", "atomic x = 0\n\(threads)\nfinally { assert x.load() != 200 }")
        try run("explore deep.lab --strategy states --memory 16 --time 10m --divide 2 --to tasks").succeeds()
        // The search of one machine.
        try run("work tasks/1.task").succeeds().doesNotPrint("found")
        try run("work tasks/2.task").succeeds().prints("found: assertion")
        try run("work --merge tasks/1.result tasks/2.result").exits(with: 1).prints("Found by the search by states.")
    }
}
