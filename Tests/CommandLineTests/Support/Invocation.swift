import Glibc
import Testing

/// A command line to run, for example `threadlab("run", "deadlock").with("COLUMNS", "40").run()`.
struct Invocation {
    /// Where standard output goes.
    enum Output {
        /// Where the test can read it.
        case captured
        case file(String)
        /// A pipe without a reader.
        case nowhere
        /// It has none.
        case closed
    }

    var program: String
    var arguments: [String]
    /// Nothing of the test's own environment is passed on.
    var environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TMPDIR": "/tmp"]
    var directory: String?
    /// The file that standard input comes from.
    var input = "/dev/null"
    /// Whether file modes apply to it even if the tests run as root.
    var obeysModes = false
    var output = Output.captured
    /// What to do when the program has written a line that begins with this.
    var cue: Cue?

    struct Cue {
        enum Stream { case output, errors }

        var stream: Stream
        var word: String
        var act: (Running) -> Void
    }

    func with(_ variable: String, _ value: String) -> Self {
        var copy = self
        copy.environment[variable] = value
        return copy
    }

    /// Does not limit the length of lines, so that a test can look for whole sentences.
    var wide: Self { with("COLUMNS", "1000") }

    func inDirectory(_ path: String) -> Self {
        var copy = self
        copy.directory = path
        return copy
    }

    func reading(from path: String) -> Self {
        var copy = self
        copy.input = path
        return copy
    }

    func obeyingModes() -> Self {
        var copy = self
        copy.obeysModes = true
        return copy
    }

    func writing(to output: Output) -> Self {
        var copy = self
        copy.output = output
        return copy
    }

    /// To standard error.
    func whenItSays(_ word: String, _ act: @escaping (Running) -> Void) -> Self {
        var copy = self
        copy.cue = Cue(stream: .errors, word: word, act: act)
        return copy
    }

    /// To standard output.
    func whenItPrints(_ word: String, _ act: @escaping (Running) -> Void) -> Self {
        var copy = self
        copy.cue = Cue(stream: .output, word: word, act: act)
        return copy
    }

    /// The program and its arguments. `env` changes the directory, `setpriv` takes root's power over modes away, and
    /// each then becomes the program.
    var words: [String] {
        let changing = directory.map { ["/usr/bin/env", "-C", $0] } ?? []
        let bounding =
            obeysModes && geteuid() == 0
            ? ["/usr/bin/setpriv", "--bounding-set", "-dac_override,-dac_read_search"] : []
        return changing + bounding + [program] + arguments
    }

    /// Runs it to its end.
    @discardableResult
    func run(sourceLocation: SourceLocation = #_sourceLocation) throws -> Ended {
        var running = try Running(self)
        return running.finish(at: sourceLocation)
    }

    /// Runs it again until its output is as wanted, for what happens on real threads in some runs only.
    /// - Returns: the last run.
    func runRepeatedly(
        atMost count: Int, sourceLocation: SourceLocation = #_sourceLocation, until isWanted: (String) -> Bool
    ) throws -> Ended {
        for _ in 1..<count {
            let ended = try run(sourceLocation: sourceLocation)
            if isWanted(ended.output) { return ended }
        }
        return try run(sourceLocation: sourceLocation)
    }
}

func threadlab(_ arguments: String...) -> Invocation { Invocation(program: Programs.threadlab, arguments: arguments) }

/// The program of `Tests/Plugin`, whose scenario `trouble` misbehaves.
func plugin(_ arguments: String...) -> Invocation { plugin(arguments) }

func plugin(_ arguments: [String]) -> Invocation { Invocation(program: Programs.plugin, arguments: arguments) }

/// The programs under test: they were built into the directory that the tests run from.
enum Programs {
    static let threadlab = directory + "/threadlab"
    static let plugin = directory + "/lab-plugin"
    /// What `threadlab cc` links into programs.
    static let runtime = directory + "/libtsan.a"
    static let foundation = directory + "/foundation-on-linux"
    /// The folder of what `CompiledOnce` keeps.
    static let kept = directory + "/programs-of-tests"

    private static let directory: String = {
        let path = realpath("/proc/self/exe", nil)
        defer { free(path) }
        return String(cString: path!).split(separator: "/").dropLast().map { "/" + $0 }.joined()
    }()
}
