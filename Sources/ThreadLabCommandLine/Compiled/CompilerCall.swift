import Glibc
import Supervision
import Text

/// A call of a compiler, with what a program needs to run under the scheduler.
struct CompilerCall {
    private let compiler: String
    private let arguments: [String]
    private let isClang: Bool
    private let isCxx: Bool

    /// Calls the compiler in place of this process, or prints what it would be given in addition.
    static func perform(_ words: [String], defaultCompiler: String, printsFlags: Bool) throws(Complaint) -> ExitCode {
        if words.isEmpty && !printsFlags {
            throw Complaint(
                "\(defaultCompiler): give the compiler and its arguments after --, as in 'threadlab \(defaultCompiler) -- "
                    + "\(defaultCompiler) -g app.c -o app'")
        }
        if printsFlags {
            try printFlags()
            return .expected
        }
        try CompilerCall(words.first ?? defaultCompiler, Array(words.dropFirst()), isCxx: defaultCompiler == "c++")
            .replaceProcess()
    }

    private init(_ compiler: String, _ arguments: [String], isCxx: Bool) throws(Complaint) {
        self.compiler = compiler
        self.arguments = arguments
        self.isCxx = isCxx
        isClang = try CompilerVersion(compiler).isClang
    }

    // MARK: - Arguments

    /// For the compiler, when it compiles.
    private static func compileFlags(isClang: Bool) -> [String] {
        // With the checks of its containers, libstdc++ has its strings compiled with the program, which then tell of their accesses.
        // clang would tell only of the write of 'x++', and a lost update could not be seen.
        ["-g", "-fsanitize=thread", "-D_GLIBCXX_ASSERTIONS"]
            + (isClang ? ["-mllvm", "-tsan-instrument-read-before-write"] : calledByGCC.map { "-fno-builtin-" + $0 })
    }

    /// Functions that are called: gcc would put code of its own in their place, which tells of no accesses.
    private static let calledByGCC = [
        "memcpy", "mempcpy", "memmove", "memset", "memcmp", "memchr", "bzero", "bcopy", "bcmp", "strcpy", "stpcpy",
        "strcat",
        "strncpy", "stpncpy", "strncat", "strlen", "strnlen", "strcmp", "strncmp", "strcasecmp", "strncasecmp",
        "strchr",
        "strrchr", "strstr", "strpbrk", "strspn", "strcspn", "strdup", "strndup", "sprintf",
        "snprintf",
        "vsprintf", "vsnprintf", "sscanf", "printf", "fprintf", "vprintf", "vfprintf", "puts", "fputs", "fwrite",
        "putchar",
        "fputc",
    ]

    /// After its own arguments: functions are called by the names that the runtime knows, not by those of `_FORTIFY_SOURCE`.
    private static let lastFlags = ["-U_FORTIFY_SOURCE"]

    /// For the compiler, when it calls the linker.
    private static func linkFlags(isClang: Bool, _ runtime: String) -> [String] {
        if isClang {
            return [
                "-fno-sanitize-link-runtime", "-Wl,--whole-archive", runtime, "-Wl,--no-whole-archive", "-rdynamic",
            ]
        }
        // gcc links the whole library of this name by itself.
        let folder = runtime.lastIndex(of: "/").map { String(runtime[..<$0]) } ?? "."
        return ["-L\(folder)", "-static-libtsan", "-rdynamic"]
    }

    private static let sources = [".c", ".i", ".cc", ".cp", ".cxx", ".cpp", ".c++", ".C", ".CPP", ".ii", ".s", ".S"]
    private static let stops = ["-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "-r"]
    /// Lowered to -O1. From there on gcc tells of no accesses in what it puts in the place of `__builtin_memset` and others, which headers of C++ use
    /// for any size: its C++ is not optimized.
    private static let levels = ["-O", "-O1", "-O2", "-O3", "-O4", "-Os", "-Oz", "-Ofast", "-Og"]

    private var hasSource: Bool {
        let names = arguments.filter { !$0.hasPrefix("-") }
        return names.contains { name in Self.sources.contains { name.hasSuffix($0) } } || hasLanguage
    }

    /// A source on standard input.
    private var hasLanguage: Bool { arguments.contains { $0.hasPrefix("-x") } }

    private var hasInput: Bool { arguments.contains { !$0.hasPrefix("-") } || hasLanguage }
    private var links: Bool { hasInput && !arguments.contains { Self.stops.contains($0) } }
    private var makesLibrary: Bool { arguments.contains("-shared") }

    private func completeArguments() throws(Complaint) -> [String] {
        // A question about the compiler itself.
        guard hasInput else { return arguments }
        var words = hasSource ? Self.compileFlags(isClang: isClang) : ["-fsanitize=thread"]
        // The runtime stands between the program and that library.
        words += arguments.filter { $0 != "-static-libstdc++" }
        if arguments.contains(where: { Self.levels.contains($0) }) { words.append(isCxx && !isClang ? "-O0" : "-O1") }
        if hasSource { words += Self.lastFlags }
        if links && (arguments.contains("-static") || arguments.contains("-static-pie")) {
            throw Complaint(
                "a program that is linked statically cannot load threadlab's engine: leave out -static; -static-libgcc can stay"
            )
        }
        if links && !makesLibrary {
            words += Self.linkFlags(isClang: isClang, try InstalledFile("libtsan.a").path)
        } else if links {
            // What a library tells it tells the program's runtime. By this option gcc links none into a library.
            words.append(isClang ? "-fno-sanitize-link-runtime" : "-static-libtsan")
            // Also where options say that a library leaves no name to others (-z defs).
            words.append("-Wl,--unresolved-symbols=ignore-all")
        }
        return words
    }

    private static func printFlags() throws(Complaint) {
        let runtime = try InstalledFile("libtsan.a").path
        for (name, isClang) in [("clang", true), ("gcc", false)] {
            let link = ["-fsanitize=thread"] + linkFlags(isClang: isClang, runtime)
            try StandardOutput.write(
                "\(name), to compile: \((compileFlags(isClang: isClang) + lastFlags).joined(separator: " "))\n"
                    + "\(name), to link: \(link.map(\.quotedForShell).joined(separator: " "))\n")
        }
    }

    private func replaceProcess() throws(Complaint) -> Never {
        let words = [compiler] + (try completeArguments())
        var pointers = words.map { strdup($0) } + [nil]
        execvp(compiler, &pointers)
        throw Complaint("cannot start the compiler '\(compiler.printable)': \(String(cString: strerror(errno)))")
    }
}

/// Which compiler a word calls.
private struct CompilerVersion {
    let isClang: Bool

    init(_ compiler: String) throws(Complaint) {
        // The name may be anything: the compiler is asked.
        let limits = ProgramOutput.Limits(bytes: 1 << 16, time: .seconds(60))
        let output: ProgramOutput
        do throws(ProgramNotStarted) {
            output = try ProgramOutput(of: [compiler, "--version"], in: ".", environment: nil, limits)
        } catch {
            throw Complaint("cannot start the compiler '\(compiler.printable)': \(error.reason)")
        }
        guard output.end == .exit(0), !output.text.isEmpty else {
            throw Complaint("'\(compiler.printable)' is not a compiler: it does not know --version")
        }
        isClang = output.text.contains("clang")
    }
}
