import Glibc
import Support
import Testing

/// The jobs of `docs/ci.md` for many machines, run as their engines run them.
@Suite struct ScaleTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try directory.directory("scenarios")
        for path in Repository.paths(in: "scenarios/basics", ending: ".lab").sorted().prefix(8) {
            let text = try #require(Repository.text(of: path))
            _ = try directory.write("scenarios/\(path.split(separator: "/").last!)", Array(text.utf8))
        }
    }

    /// The blocks of the page in a language.
    private static func blocks(_ language: String) -> [String] {
        let text = Repository.text(of: "docs/ci.md") ?? ""
        return text.matches(of: #/(?s)```([a-z]+)\n(.*?)```/#).filter { $0.output.1 == language }.map {
            String($0.output.2)
        }
    }

    private func shell(_ script: String, _ variables: [String: String] = [:]) throws -> Ended {
        var shell = Invocation(program: "/bin/bash", arguments: ["-ec", script]).inDirectory(directory.path)
            .with("HOME", directory.path)
        let folder = Programs.threadlab.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        shell.environment["PATH"] = folder + ":/usr/bin:/bin"
        for (name, value) in variables { shell.environment[name] = value }
        return try shell.run()
    }

    /// The reports of a whole check, without durations.
    private func reports() -> [String] {
        ["report.xml", "pages/index.html"].compactMap { Files.text(directory.file($0)) }.map {
            $0.replacing(#/time="[0-9.]*"/#, with: "")
        }
    }

    private func wholeCheck(_ words: String) throws -> [String] {
        try shell("threadlab check scenarios \(words) --junit report.xml --html pages").exits(with: 0)
        let whole = reports()
        try shell("rm -r report.xml pages").exits(with: 0)
        return whole
    }

    @Test(.enabled(if: access("/usr/bin/parallel", X_OK) == 0)) func `GNU parallel runs the parts`() throws {
        let blocks = Self.blocks("bash").filter { $0.contains("check scenarios") }
        try #require(blocks.count == 1)
        let whole = try wholeCheck("--controlled")
        try shell(blocks[0]).exits(with: 0).prints("8 passed")
        #expect(reports().first == whole.first)
        // With --resume, only the part that is not in the log runs again.
        let log = try #require(Files.text(directory.file("parts.log")))
        let lines = log.split(separator: "\n").filter { !$0.contains("--shard 3/4") }
        try Files.write(directory.file("parts.log"), Array((lines.joined(separator: "\n") + "\n").utf8))
        try shell("rm part-3; cp part-1 before; " + blocks[0].replacing("--joblog", with: "--resume --joblog")).exits(
            with: 0)
        #expect(Files.read(directory.file("before")) == Files.read(directory.file("part-1")))
        #expect(reports().first == whole.first)
    }

    @Test(.enabled(if: access("/usr/bin/parallel", X_OK) == 0)) func `GNU parallel runs the tasks of a search`() throws
    {
        let blocks = Self.blocks("bash").filter { $0.contains("threadlab work") }
        try #require(blocks.count == 1)
        let whole = try shell("threadlab explore santa --strategy random").exits(with: 0)
        try shell("threadlab explore santa --strategy random --divide 4 --to tasks").exits(with: 0)
        let joined = try shell(blocks[0]).exits(with: 0).output
        #expect(joined.hasSuffix(whole.output))
    }

    @Test func `a matrix of GitHub Actions runs the parts`() throws {
        let job = try #require(Self.blocks("yaml").first { $0.contains("--shard ${{ matrix.part }}") })
        let commands = job.matches(of: #/run: (threadlab .*)/#).map { String($0.output.1) }
        let matrix = try #require(job.firstMatch(of: #/part: \[(.*)\]/#)).output.1.split(separator: ", ")
        try #require(commands.count == 2)
        let whole = try wholeCheck("--controlled")
        for part in matrix {
            try shell(Self.controlled(commands[0].replacing("${{ matrix.part }}", with: part))).exits(with: 0)
        }
        try shell(commands[1], ["GITHUB_STEP_SUMMARY": directory.file("summary")]).exits(with: 0).prints("8 passed")
        #expect(reports() == whole)
        #expect(Files.text(directory.file("summary"))?.hasPrefix("### threadlab check: 8 passed") == true)
    }

    @Test func `parallel jobs of GitLab run the parts`() throws {
        let jobs = try #require(Self.blocks("yaml").first { $0.contains("--shard $CI_NODE_INDEX") })
        let commands = jobs.matches(of: #/- (threadlab .*)/#).map { String($0.output.1) }
        let count = try #require(jobs.firstMatch(of: #/parallel: ([0-9]+)/#)).output.1
        try #require(commands.count == 2)
        let whole = try wholeCheck("--controlled")
        for part in 1...(Int(count) ?? 0) {
            let variables = ["CI_NODE_INDEX": "\(part)", "CI_NODE_TOTAL": String(count)]
            try shell(Self.controlled(commands[0]), variables).exits(with: 0)
        }
        try shell(commands[1]).exits(with: 0).prints("8 passed")
        #expect(reports() == whole)
    }

    /// What jobs of a divided search run: to divide, to work on one task, and to join.
    private func runJobs(_ commands: [String], number: String) throws {
        try #require(commands.count == 3)
        // A search that is divided, and ends soon.
        let search = "explore santa --strategy random --runs 20000"
        let whole = try shell("threadlab \(search) --time 24h").exits(with: 0)
        try shell(commands[0].replacing("explore bank.lab", with: search)).exits(with: 0).prints("divided: 4 tasks")
        for part in 1...4 { try shell(commands[1].replacing(number, with: "\(part)")).exits(with: 0) }
        #expect(try shell(commands[2]).exits(with: 0).output == whole.output)
    }

    @Test func `a matrix of GitHub Actions works on the tasks of a search`() throws {
        let jobs = try #require(Self.blocks("yaml").first { $0.contains("workflow_dispatch") })
        let commands = jobs.matches(of: #/run: (.*)/#).map { String($0.output.1) }
        try runJobs(commands, number: "${{ matrix.part }}")
    }

    @Test func `parallel jobs of GitLab work on the tasks of a search`() throws {
        let jobs = try #require(Self.blocks("yaml").first { $0.contains("work tasks/$CI_NODE_INDEX") })
        let commands = jobs.matches(of: #/- ((?:threadlab|test) .*)/#).map { String($0.output.1) }
        try runJobs(commands, number: "$CI_NODE_INDEX")
    }

    @Test func `jobs of a search that is over before it is divided show its report again`() throws {
        let jobs = try #require(Self.blocks("yaml").first { $0.contains("work tasks/$CI_NODE_INDEX") })
        let commands = jobs.matches(of: #/- ((?:threadlab|test) .*)/#).map { String($0.output.1) }
        let divided = try shell(commands[0].replacing("bank.lab", with: "santa")).exits(with: 0).prints("proved: ")
        for part in 1...4 { try shell(commands[1], ["CI_NODE_INDEX": "\(part)"]).exits(with: 0) }
        let joined = try shell(commands[2]).exits(with: 0).output
        #expect(joined.hasPrefix("proved: ") && divided.output.hasPrefix(joined))
    }

    /// Runs on real threads are not the same twice.
    private static func controlled(_ command: String) -> String {
        command.replacing("check scenarios", with: "check scenarios --controlled")
    }

    @Test(.enabled(if: access("/usr/bin/check-jsonschema", X_OK) == 0), arguments: ["github-workflows", "gitlab-ci"])
    func `the jobs are valid by the schema of their engine`(schema: String) throws {
        let mark = schema == "github-workflows" ? "\njobs:\n" : "\n  script:\n"
        let blocks = Self.blocks("yaml").filter { $0.contains(mark) }
        try #require(blocks.count == 4)
        for block in blocks {
            let file = try directory.write("job.yml", Array(block.utf8))
            try Invocation(
                program: "/usr/bin/check-jsonschema", arguments: ["--builtin-schema", "vendor.\(schema)", file]
            ).run().exits(with: 0)
        }
    }
}
