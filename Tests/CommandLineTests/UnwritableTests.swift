import Glibc
import Support
import Testing

/// What cannot be written: each option that names an output says what, where and why, with exit code 2, and leaves nothing half done.
@Suite struct UnwritableTests {
    /// With `FILE` for the place. `x.lab` is a program whose search has a finding, `y.lab` one that is proved.
    static let commands: [[String]] =
        ["--save", "--html"].map { ["run", "x.lab", "--seed", "1", $0, "FILE"] }
        + [["explore", "x.lab", "--html", "FILE"], ["trace", "x.trace", "--html", "FILE"]]
        + endings.keys.sorted().map {
            ["export", ["page", "states"].contains($0) ? "y.lab" : "x.lab", "FILE", "--as", $0]
        }
        + ["run", "lanes", "film", "locks", "perfetto", "shiviz"].map { ["export", "x.trace", "FILE", "--as", $0] }
        + ["--junit", "--sarif", "--result", "--write-baseline", "--write-proved"].map {
            ["check", ".", "--controlled", $0, "FILE"]
        }
        + [
            ["run", "x.lab", "--native", "--save", "FILE"],
            ["check", "--merge", "x.result", "--result", "FILE"], ["check", "--merge", "x.result", "--junit", "FILE"],
        ]
    /// How the file of each kind of export is called.
    private static let endings = [
        "page": ".html", "run": ".html", "lanes": ".svg", "film": ".svg", "states": ".dot", "locks": ".dot",
        "waits": ".gv", "reads-from": ".dot", "handout": ".svg", "perfetto": ".pftrace", "shiviz": ".log",
    ]
    /// The same with a folder.
    static let folders: [[String]] = [
        ["check", ".", "--controlled", "--save", "FILE"], ["check", ".", "--controlled", "--html", "FILE"],
        ["explore", "x.lab", "--save", "FILE"], ["explore", "y.lab", "--divide", "2", "--to", "FILE"],
        ["learn", "init", "FILE"], ["new", "--course", "FILE"],
    ]

    private static func folder() throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        let text = "scenario \"x\"\nshared a = 0\nthread t[2] { a += 1 }\nexpect race\n"
        _ = try directory.write("x.lab", Array(text.utf8))
        _ = try directory.write(
            "y.lab",
            Array(
                text.replacing("shared", with: "atomic").replacing("a += 1", with: "a.add(1)").replacing(
                    "expect race", with: "expect completes"
                ).utf8))
        try threadlab("run", "x.lab", "--seed", "1", "--save", "x.trace").inDirectory(directory.path).run()
        try threadlab("check", ".", "--controlled", "--result", "x.result").inDirectory(directory.path).run().succeeds()
        return directory
    }

    private func run(_ command: [String], _ place: String, in directory: TemporaryDirectory) throws -> Ended {
        try Invocation(program: Programs.threadlab, arguments: command.map { $0 == "FILE" ? place : $0 })
            .inDirectory(directory.path).wide.run()
    }

    private func ending(_ command: [String]) -> String { command.last.flatMap { Self.endings[$0] } ?? "" }

    @Test func `in a folder that is not there`() throws {
        let directory = try Self.folder()
        let before = directory.names
        for command in Self.commands + Self.folders {
            let ended = try run(command, "none/out" + ending(command), in: directory).exits(with: 2).printsNothing()
            #expect(
                ended.errors.contains("none") && ended.errors.split(separator: "\n").count == 1,
                "\(command): \(ended.errors)")
            #expect(directory.names == before, "\(command)")
        }
    }

    @Test func `where no file may be`() throws {
        let directory = try Self.folder()
        let before = directory.names
        for command in Self.commands where ending(command).isEmpty {
            let ended = try run(command, "/dev/full", in: directory).exits(with: 2).printsNothing()
            #expect(ended.errors.contains("'/dev/full': it is not a regular file; "), "\(command): \(ended.errors)")
            #expect(directory.names == before, "\(command)")
        }
    }

    /// A limit on the size of files is the full disk of every system: nothing is written, and no signal ends the process.
    @Test func `beyond the size that files may have`() throws {
        let directory = try Self.folder()
        let before = directory.names
        for command in Self.commands {
            let words = command.map { $0 == "FILE" ? "out" + ending(command) : $0 }
            let line = ([Programs.threadlab] + words).map { "'\($0)'" }.joined(separator: " ")
            let ended = try Invocation(program: "/bin/sh", arguments: ["-c", "ulimit -f 0; exec \(line)"])
                .inDirectory(directory.path).wide.run().exits(with: 2)
            #expect(
                ended.errors.contains("threadlab: cannot write out")
                    && ended.errors.contains(": File too large; the shell's 'ulimit -f' limits the size of files\n"),
                "\(command): \(ended.errors)")
            #expect(directory.names == before, "\(command)")
        }
    }

    /// Needs the right to mount, as root in a container of its own has.
    private static let mayMount: Bool = {
        let ended = try? Invocation(
            program: "/usr/bin/unshare", arguments: ["-m", "mount", "-t", "tmpfs", "none", "/mnt"]
        ).run()
        return ended?.code == 0
    }()

    @Test(.enabled(if: mayMount, "it may not mount a small disk"), arguments: [[], ["--native"]])
    func `a disk that fills up while a run is recorded is no way in which the program ended`(runtime: [String]) throws {
        let directory = try Self.folder()
        try directory.directory("disk")
        let many = "scenario \"x\"\natomic a = 0\nthread t[2] { repeat 200000 { a.add(1) } }\nexpect completes\n"
        _ = try directory.write("many.lab", Array(many.utf8))
        let options = runtime.isEmpty ? "--seed 1 --max-steps 1000000" : "--native"
        for size in Extent.part(of: ["150k", "200k", "8m", "14m"], every: 2) {
            let script = """
                mount -t tmpfs -o size=\(size) none disk && '\(Programs.threadlab)' run many.lab \
                \(options) --save disk/x.trace; code=$?; ls -A disk >left; exit $code
                """
            let ended = try Invocation(program: "/usr/bin/unshare", arguments: ["-m", "/bin/sh", "-c", script])
                .inDirectory(directory.path).wide.run().exits(with: 2).printsNothing()
            #expect(
                ended.errors.hasPrefix("threadlab: cannot write disk/x.trace")
                    && ended.errors.hasSuffix(
                        ": No space left on device; make room there, or name a place on another disk\n"),
                "\(size): \(ended.errors)")
            #expect(Files.text(directory.file("left")) == "", "\(size)")
        }
    }

    /// Of two files, the first one is larger than the 512 bytes that are allowed.
    @Test func `a report that cannot be written keeps no other from being written`() throws {
        let directory = try Self.folder()
        let text = try #require(Files.read(directory.file("y.lab")))
        for number in 1...20 { _ = try directory.write("y\(number).lab", text) }
        let line = "'\(Programs.threadlab)' check . --controlled --junit a.xml --write-baseline known.txt"
        let ended = try Invocation(program: "/bin/sh", arguments: ["-c", "ulimit -f 1; exec \(line)"])
            .inDirectory(directory.path).wide.run().exits(with: 2)
        #expect(ended.errors.contains("threadlab: cannot write a.xml: File too large; "))
        #expect(Files.text(directory.file("known.txt"))?.hasPrefix("# Known failures") == true)
        #expect(!directory.names.contains { $0.hasPrefix("a.xml") })
    }

    @Test(arguments: [["run", "x.lab", "--seed", "1"], ["check", "x.lab"]])
    func `without a folder for what lasts no longer than a run`(command: [String]) throws {
        let directory = try Self.folder()
        let ended = try Invocation(program: Programs.threadlab, arguments: command).with("TMPDIR", "/nowhere")
            .inDirectory(directory.path).run().exits(with: 2)
        #expect(
            ended.errors == "threadlab: cannot create a scratch directory in /nowhere: No such file or directory\n")
    }
}
