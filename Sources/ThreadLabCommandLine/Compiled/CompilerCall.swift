import Glibc
import Supervision
import Text

/// A call of a compiler, with what a program needs to run under the scheduler.
struct CompilerCall {
    /// What starts the compiler, as ccache does, and the compiler.
    private let launchers: [String]
    private let compiler: String
    private let arguments: [String]
    private let isClang: Bool
    private let isCxx: Bool

    /// Calls the compiler in place of this process, or prints what it would be given in addition.
    static func perform(_ words: [String], printsFlags: Bool) throws(Complaint) -> ExitCode {
        if printsFlags {
            try printFlags()
            return .expected
        }
        guard !words.isEmpty else {
            throw Complaint(
                "cc: give the compiler and its arguments after --, as in 'threadlab cc -- cc -g app.c -o app' or 'threadlab cc "
                    + "-- c++ -g app.cpp -o app'")
        }
        try CompilerCall(words).replaceProcess()
    }

    /// - Parameter words: at least one.
    private init(_ words: [String]) throws(Complaint) {
        launchers = Array(
            words.dropLast().prefix { Self.knownLaunchers.contains(String($0.lastNameOfPath ?? "")) })
        compiler = words[launchers.count]
        arguments = words.dropFirst(launchers.count + 1).compactMap(Self.usable)
        isCxx = Self.isOfCxx(compiler) || arguments.contains(where: Self.isOfCxx) || arguments.contains("c++")
        isClang = try CompilerVersion(compiler).isClang
    }

    /// Whether a compiler or a source is of C++, as far as its name tells.
    private static func isOfCxx(_ word: String) -> Bool {
        let name = String(word.lastNameOfPath ?? "")
        return name.contains("++") || CompiledFile.cxxSuffixes.contains { name.hasSuffix($0) }
    }

    private static let knownLaunchers: Set<String> = ["ccache", "sccache", "distcc", "icecc"]

    // MARK: - Arguments

    /// What is left of an argument. Counters of coverage and profiles are variables that threads share; and checks by another library's functions
    /// are code of which nothing is known.
    private static func usable(_ argument: String) -> String? {
        let isProfile =
            ["-pg", "--coverage", "-coverage", "-ftest-coverage", "-fcoverage-mapping"].contains(argument)
            || argument.hasPrefix("-fprofile-")
        // The runtime stands between the program and that library.
        if isProfile || argument == "-static-libstdc++" { return nil }
        guard argument.hasPrefix("-fsanitize=") else { return argument }
        let names = argument.dropFirst("-fsanitize=".count).split(separator: ",").filter { $0 != "undefined" }
        return names.isEmpty ? nil : "-fsanitize=" + names.joined(separator: ",")
    }

    /// For the compiler, when it compiles.
    private static func compileFlags(isClang: Bool) -> [String] {
        // With the checks of its containers, libstdc++ has its strings compiled with the program, which then tell of their accesses.
        // clang would tell only of the write of 'x++', and a lost update could not be seen.
        // It would describe a class for debuggers only where its constructor is, and members could not be named elsewhere.
        // Of gcc's warnings, one says that fences are not supported by ThreadSanitizer; clang would warn that sources in assembly have no
        // use for an option.
        ["-g", "-fsanitize=thread", "-D_GLIBCXX_ASSERTIONS"]
            + (isClang
                ? ["-mllvm", "-tsan-instrument-read-before-write", "-Qunused-arguments", "-fstandalone-debug"]
                : ["-Wno-tsan"] + calledByGCC.map { "-fno-builtin-" + $0 })
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
            // The user's -x says of what language files are.
            return [
                "-fno-sanitize-link-runtime", "-x", "none", "-Wl,--whole-archive", runtime, "-Wl,--no-whole-archive",
                "-rdynamic",
            ]
        }
        // gcc links the whole library of this name by itself.
        let folder = runtime.folderOfPath ?? "."
        return ["-L\(folder)", "-static-libtsan", "-rdynamic"]
    }

    private static let sources = [".c", ".i", ".cc", ".cp", ".cxx", ".cpp", ".c++", ".C", ".CPP", ".ii", ".s", ".S"]
    private static let stops = ["-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "-r", "--precompile", "-emit-ast"]
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
    private var links: Bool { hasInput && !isOfHeader && !arguments.contains { Self.stops.contains($0) } }

    /// Whether a header is compiled beforehand.
    private var isOfHeader: Bool {
        let names = arguments.filter { !$0.hasPrefix("-") }
        func hasName(_ suffixes: [String]) -> Bool {
            names.contains { name in suffixes.contains { name.hasSuffix($0) } }
        }
        // Options have names of headers, too: then there is something else to compile or to link.
        let isAlone =
            hasName([".h", ".hh", ".hpp", ".hxx", ".H"]) && !hasLanguage
            && !hasName(Self.sources + [".o", ".a", ".so", ".lo"])
        return isAlone || arguments.contains { $0.hasSuffix("c-header") || $0.hasSuffix("c++-header") }
    }
    private var makesLibrary: Bool { arguments.contains("-shared") }

    private func completeArguments() throws(Complaint) -> [String] {
        // A question about the compiler itself.
        guard hasInput else { return arguments }
        var words = hasSource ? Self.compileFlags(isClang: isClang) : ["-fsanitize=thread"]
        words += arguments
        if arguments.contains(where: { Self.levels.contains($0) }) { words.append(isCxx && !isClang ? "-O0" : "-O1") }
        if hasSource { words += Self.lastFlags }
        try refuseUnusable()
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

    /// Refuses options with which a program cannot run under the scheduler.
    private func refuseUnusable() throws(Complaint) {
        let others = ["address", "hwaddress", "memory", "leak", "dataflow", "kernel-address"]
        for argument in arguments where argument.hasPrefix("-fsanitize=") {
            let names = argument.dropFirst("-fsanitize=".count).split(separator: ",")
            guard let name = names.first(where: { others.contains(String($0)) }) else { continue }
            throw Complaint(
                "-fsanitize=\(name) cannot be combined with threadlab, which finds memory that is used after it is freed itself: leave it out"
            )
        }
        if arguments.contains("-fno-sanitize=all") || arguments.contains("-fno-sanitize=thread") {
            throw Complaint(
                "-fno-sanitize would leave out what tells threadlab of accesses to memory: leave that option out")
        }
        guard links else { return }
        for name in ["-nostdlib", "-nodefaultlibs", "-nolibc"] where arguments.contains(name) && !makesLibrary {
            throw Complaint("\(name): threadlab needs the C library in the program: leave that option out")
        }
        if arguments.contains("-static") || arguments.contains("-static-pie") {
            throw Complaint(
                "a program that is linked statically cannot load threadlab's engine: leave out -static; -static-libgcc can stay"
            )
        }
        for argument in arguments where argument.hasPrefix("-Wl,") && !makesLibrary {
            guard argument.contains("--exclude-libs") || argument.contains("--version-script") else { continue }
            throw Complaint(
                "\(argument.printable) would hide threadlab's functions from the libraries of the program: leave that option out"
            )
        }
    }

    private static func printFlags() throws(Complaint) {
        let runtime = try InstalledFile("libtsan.a").path
        for (name, isClang) in [("clang", true), ("gcc", false)] {
            let link = ["-fsanitize=thread"] + linkFlags(isClang: isClang, runtime)
            try StandardOutput.write(
                "\(name), to compile: \((compileFlags(isClang: isClang) + lastFlags).joined(separator: " "))\n"
                    + "\(name), to link: \(link.map(Self.quoted).joined(separator: " "))\n")
        }
    }

    /// Words that a shell takes as they are stay so: then the text can be the value of a variable.
    private static func quoted(_ word: String) -> String {
        word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./+,:@=".contains($0)) }
            ? word : word.quotedForShell
    }

    private func replaceProcess() throws(Complaint) -> Never {
        let words = launchers + [compiler] + (try completeArguments())
        var pointers = words.map { strdup($0) } + [nil]
        FileSizeLimit.restore()
        execvp(words[0], &pointers)
        throw Complaint("cannot start the compiler '\(words[0].printable)': \(String(cString: strerror(errno)))")
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
