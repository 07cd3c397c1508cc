import Glibc
import Support
import Testing

/// A program of `Tests/Programs`, compiled by `threadlab cc`, in a folder of its own.
struct CProgram {
    private let folder: TemporaryDirectory
    let path: String

    /// That of the Swift toolchain, which runs this test.
    static let clang: String = {
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        for folder in path.split(separator: ":") {
            let program = "\(folder)/clang"
            if access(program, X_OK) == 0 { return program }
        }
        return "/usr/bin/clang"
    }()

    /// - Parameter place: the folder in `Tests/Programs` that it is in, with a slash.
    init(
        _ name: String, in place: String = "", suffix: String = ".c", compiler: String = clang, inSteps: Bool = false,
        flags: [String] = []
    ) throws {
        path = "./\(name)"
        let source = try #require(Repository.text(of: "Tests/Programs/\(place)\(name)\(suffix)"))
        let commands: [[String]]
        if suffix == ".cpp" {
            let program = compiler == "gcc" ? "g++" : compiler + "++"
            commands = [[program, "-std=c++20", "\(name).cpp", "-o", name] + flags]
        } else if inSteps {
            commands = [[compiler, "-c", "\(name).c", "-o", "\(name).o"], [compiler, "\(name).o", "-o", name]]
        } else {
            commands = [[compiler, "-Wall", "-Wextra", "-Werror", "\(name).c", "-o", name] + flags]
        }
        folder = try CompiledOnce.copy(of: .init(file: name + suffix, source: source, commands: commands))
    }

    /// - Parameter source: its text.
    init(_ name: String, source: String, compiler: String, flags: [String] = []) throws {
        path = "./\(name)"
        let command = [compiler, "-Wall", "-Wextra", "-Werror", "\(name).c", "-o", name] + flags
        folder = try CompiledOnce.copy(of: .init(file: "\(name).c", source: source, commands: [command]))
    }

    /// Runs the command that a report names.
    @discardableResult
    func replays(_ report: Ended, with code: Int32 = 1) throws -> Ended {
        let replay = try #require(report.output.firstMatch(of: /Replay: threadlab (replay .+)/)).output.1
        return try threadlab(replay.split(separator: " ").map(String.init)).exits(with: code)
    }

    /// - Parameters:
    ///   - helper: another file of the program.
    ///   - isTold: whether it is compiled by `threadlab cc` too.
    init(_ name: String, with helper: String, isTold: Bool = false) throws {
        folder = try Self.folder(of: name, helper)
        path = "./\(name)"
        let words = ["-c", helper, "-o", "helper.o"]
        if isTold {
            try threadlab(["cc", "--", Self.clang] + words).exits(with: 0)
        } else {
            try Invocation(program: Self.clang, arguments: words).inDirectory(folder.path).run().exits(with: 0)
        }
        try compile(Self.clang, "\(name).c", "helper.o", "-o", name)
    }

    /// - Parameters:
    ///   - library: a file that becomes a shared library, as the program is compiled.
    init(_ name: String, withShared library: String, compiler: String) throws {
        let compiler = compiler == "clang" ? Self.clang : compiler
        folder = try Self.folder(of: name, library)
        path = "./\(name)"
        try buildShared(library, compiler: compiler)
        try compile(compiler, "\(name).c", "-o", name, "libhelper.so", "-Wl,-rpath,$ORIGIN")
    }

    /// With a file beside it, which is not linked.
    init(_ name: String, beside other: String, compiler: String = clang) throws {
        folder = try Self.folder(of: name, other)
        path = "./\(name)"
        try compile(compiler, "\(name).c", "-o", name)
    }

    /// As gcc compiles it, with a file that becomes a shared library.
    init(_ name: String, forThreadSanitizerWithShared library: String) throws {
        folder = try Self.folder(of: name, library)
        path = "./\(name)"
        let words = ["-g", "-O1", "-fsanitize=thread"]
        for more in [
            ["-shared", "-fPIC", library, "-o", "libhelper.so"],
            ["\(name).c", "-o", name, "libhelper.so", "-Wl,-rpath,$ORIGIN"],
        ] { try runs("/usr/bin/gcc", words + more).exits(with: 0) }
    }

    private static func folder(of name: String, _ helper: String) throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory()
        for file in ["\(name).c", helper] {
            let source = try #require(Repository.text(of: "Tests/Programs/\(file)"))
            _ = try folder.write(file, Array(source.utf8))
        }
        return folder
    }

    /// - Parameters:
    ///   - library: a file that becomes a shared library, in which nothing tells what its code accesses.
    ///   - flags: for the program.
    init(_ name: String, library: String, flags: [String] = []) throws {
        folder = try Self.folder(of: name, library)
        path = "./\(name)"
        let words = ["-shared", "-fPIC", library, "-o", "libhelper.so"]
        try Invocation(program: Self.clang, arguments: words).inDirectory(folder.path).run().exits(with: 0)
        let linking = ["-Wl,--no-as-needed", "libhelper.so", "-Wl,-rpath,$ORIGIN"]
        try compile([Self.clang, "\(name).c", "-o", name] + flags + linking)
    }

    private func compile(_ words: String...) throws { try compile(words) }
    private func compile(_ words: [String]) throws { try threadlab(["cc", "--"] + words).exits(with: 0).isSilent() }

    /// Makes its library, which may be told that all names are its own.
    func buildShared(_ library: String, _ flags: String..., compiler: String = clang) throws {
        try compile([compiler, "-shared", "-fPIC", library, "-Wl,-z,defs", "-o", "libhelper.so"] + flags)
    }

    func text(of file: String) throws -> String { try #require(Files.text(folder.file(file))) }
    func write(_ text: String, to file: String) throws { _ = try folder.write(file, Array(text.utf8)) }
    /// Compiles it again.
    func build(_ name: String, _ flags: String...) throws {
        try compile([Self.clang, "\(name).c", "-o", name] + flags)
    }

    /// Writes a file beside the program.
    func write(_ name: String, _ text: String) throws { _ = try folder.write(name, Array(text.utf8)) }

    func remove(_ name: String) throws {
        if has(name) { try #require(unlink("\(folder.path)/\(name)") == 0) }
    }

    func has(_ name: String) -> Bool { access("\(folder.path)/\(name)", F_OK) == 0 }

    /// What is in a file beside the program.
    func read(_ name: String) throws -> String {
        try #require(Files.text("\(folder.path)/\(name)"))
    }

    /// Runs threadlab in the program's folder.
    @discardableResult func threadlab(_ words: [String]) throws -> Ended {
        try Invocation(program: Programs.threadlab, arguments: words).inDirectory(folder.path).wide.run()
    }

    /// Plays it with these commands, each a line.
    func play(arguments: [String], _ lines: String...) throws -> Ended {
        let input = try folder.write("commands", Array(lines.map { $0 + "\n" }.joined().utf8))
        return try Invocation(program: Programs.threadlab, arguments: ["play", path, "--plain", "--"] + arguments)
            .inDirectory(folder.path).reading(from: input).wide.run()
    }

    /// Explores it. The time is not limited unless the options say so: how busy the machine is decides no test.
    func explore(_ options: String..., arguments: [String] = []) throws -> Ended {
        let time = options.contains("--time") ? [] : ["--time", "1h"]
        return try threadlab(["explore", path] + time + options + (arguments.isEmpty ? [] : ["--"] + arguments))
    }

    /// The names that it exports and imports, as `nm` lists them.
    func symbols() throws -> String { try runs("/usr/bin/nm", ["-D", path]).exits(with: 0).output }

    /// Runs another program in the program's folder.
    @discardableResult func runs(_ path: String, _ words: [String]) throws -> Ended {
        try Invocation(program: path, arguments: words).inDirectory(folder.path).wide.run()
    }

    /// Makes `NAME.so` of `NAME.c`.
    func buildLibrary(_ name: String) throws {
        _ = try runs(Self.clang, ["-shared", "-fPIC", "\(name).c", "-o", "\(name).so"]).exits(with: 0)
    }

    var folderPath: String { folder.path }
    func makeFolder(_ name: String) throws { try #require(mkdir("\(folder.path)/\(name)", 0o700) == 0) }

    /// Runs the program itself.
    func alone(_ arguments: [String] = []) throws -> Ended {
        try Invocation(program: path, arguments: arguments).inDirectory(folder.path).run()
    }
}
