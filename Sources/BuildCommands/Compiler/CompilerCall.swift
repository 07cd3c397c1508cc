import Console
import Glibc
import Supervision
import Text

/// A call of a compiler, with the options that a program needs to run under the scheduler.
struct CompilerCall {
    /// Programs that start the compiler, such as ccache.
    private let launchers: [String]
    private let compiler: String
    private let arguments: [String]
    private let isClang: Bool
    private let isCxx: Bool

    /// Calls the compiler in place of this process, or prints the added options.
    static func perform(_ words: [String], printsFlags: Bool, gate: ProgramGate) throws(Complaint) -> ExitCode {
        if printsFlags {
            try printFlags()
            return .expected
        }
        guard let first = words.first else {
            throw Complaint(
                "cc: give the compiler and its arguments after --, as in 'threadlab cc -- cc -g app.c -o app' or 'threadlab cc "
                    + "-- c++ -g app.cpp -o app'")
        }
        try CompilerCall(words, gate.passForCompiler(first)).replaceProcess()
    }

    /// - Parameter words: the compiler's command line, with at least one word.
    private init(_ words: [String], _: ProgramGate.Pass) throws(Complaint) {
        launchers = Array(
            words.dropLast().prefix { Self.knownLaunchers.contains(String($0.lastNameOfPath ?? "")) })
        compiler = words[launchers.count]
        arguments = words.dropFirst(launchers.count + 1).compactMap(Self.usable)
        isCxx = Self.isOfCxx(compiler) || arguments.contains(where: Self.isOfCxx) || arguments.contains("c++")
        isClang = try CompilerVersion(compiler).isClang
    }

    /// Whether a compiler or a source file is for C++, judged by its name.
    private static func isOfCxx(_ word: String) -> Bool {
        let name = String(word.lastNameOfPath ?? "")
        return name.contains("++") || CompiledFile.cxxSuffixes.contains { name.hasSuffix($0) }
    }

    private static let knownLaunchers: Set<String> = ["ccache", "sccache", "distcc", "icecc"]

    // MARK: - Arguments

    /// The argument as it can be used. Nil: it is left out. Counters for coverage and profiles are variables that
    /// threads share, and other sanitizers' checks call functions that are not known.
    private static func usable(_ argument: String) -> String? {
        let isProfile =
            ["-pg", "--coverage", "-coverage", "-ftest-coverage", "-fcoverage-mapping"].contains(argument)
            || argument.hasPrefix("-fprofile-")
        // The runtime must be able to replace functions of the C++ library, which must therefore be a shared library.
        if isProfile || argument == "-static-libstdc++" { return nil }
        guard argument.hasPrefix("-fsanitize=") else { return argument }
        let names = argument.dropFirst("-fsanitize=".count).split(separator: ",").filter { $0 != "undefined" }
        return names.isEmpty ? nil : "-fsanitize=" + names.joined(separator: ",")
    }

    /// The options for compiling.
    private static func compileFlags(isClang: Bool) -> [String] {
        // Assertions make the compiler instantiate libstdc++'s strings in the program, where they are instrumented. By
        // default, clang instruments only the write of `x++`, so a lost update would not be found; and it describes a
        // class only where the class's constructor is, so members could not be named elsewhere. One gcc warning says
        // that ThreadSanitizer does not support fences. clang would warn about options that sources in assembly do not
        // use.
        ["-g", "-fsanitize=thread", "-D_GLIBCXX_ASSERTIONS"]
            + (isClang
                ? ["-mllvm", "-tsan-instrument-read-before-write", "-Qunused-arguments", "-fstandalone-debug"]
                : ["-Wno-tsan"] + calledByGCC.map { "-fno-builtin-" + $0 })
    }

    /// Functions that gcc must call. By default it generates code for them inline, which is not instrumented.
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

    /// Options that follow the user's: functions are to be called by the names that the runtime knows, not by those of
    /// `_FORTIFY_SOURCE`.
    private static let lastFlags = ["-U_FORTIFY_SOURCE"]

    /// The options for linking.
    private static func linkFlags(isClang: Bool, _ runtime: String) -> [String] {
        if isClang {
            // The user's `-x` would also apply to the runtime's file.
            return [
                "-fno-sanitize-link-runtime", "-x", "none", "-Wl,--whole-archive", runtime, "-Wl,--no-whole-archive",
                "-rdynamic",
            ]
        }
        // gcc itself links the whole library with this name.
        let folder = runtime.folderOfPath ?? "."
        return ["-L\(folder)", "-static-libtsan", "-rdynamic"]
    }

    private static let sources = [".c", ".i", ".cc", ".cp", ".cxx", ".cpp", ".c++", ".C", ".CPP", ".ii", ".s", ".S"]
    private static let stops = ["-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "-r", "--precompile", "-emit-ast"]
    /// Optimization levels. They are lowered to `-O1`, and for gcc's C++ to `-O0`: from `-O1` on, gcc replaces
    /// `__builtin_memset` and others, which the C++ headers use for any size, by code that is not instrumented.
    private static let levels = ["-O", "-O1", "-O2", "-O3", "-O4", "-Os", "-Oz", "-Ofast", "-Og"]

    private var hasSource: Bool {
        let names = arguments.filter { !$0.hasPrefix("-") }
        return names.contains { name in Self.sources.contains { name.hasSuffix($0) } } || hasLanguage
    }

    /// Whether the language is named, as for a source on standard input.
    private var hasLanguage: Bool { arguments.contains { $0.hasPrefix("-x") } }

    private var hasInput: Bool { arguments.contains { !$0.hasPrefix("-") } || hasLanguage }
    private var links: Bool { hasInput && !isOfHeader && !arguments.contains { Self.stops.contains($0) } }

    /// Whether the call precompiles a header.
    private var isOfHeader: Bool {
        let names = arguments.filter { !$0.hasPrefix("-") }
        func hasName(_ suffixes: [String]) -> Bool {
            names.contains { name in suffixes.contains { name.hasSuffix($0) } }
        }
        // Names of headers also occur as values of options. Then there is another source, or something to link.
        let isAlone =
            hasName([".h", ".hh", ".hpp", ".hxx", ".H"]) && !hasLanguage
            && !hasName(Self.sources + [".o", ".a", ".so", ".lo"])
        return isAlone || arguments.contains { $0.hasSuffix("c-header") || $0.hasSuffix("c++-header") }
    }
    private var makesLibrary: Bool { arguments.contains("-shared") }

    private func completeArguments() throws(Complaint) -> [String] {
        // Without an input, the call only asks about the compiler.
        guard hasInput else { return arguments }
        var words = hasSource ? Self.compileFlags(isClang: isClang) : ["-fsanitize=thread"]
        words += arguments
        if arguments.contains(where: { Self.levels.contains($0) }) { words.append(isCxx && !isClang ? "-O0" : "-O1") }
        if hasSource { words += Self.lastFlags }
        try refuseUnusable()
        if links && !makesLibrary {
            words += Self.linkFlags(isClang: isClang, try InstalledFile("libtsan.a").path)
        } else if links {
            // A library reports its accesses to the program's runtime, so it must not contain a runtime. For gcc, this
            // option keeps the runtime out of it.
            words.append(isClang ? "-fno-sanitize-link-runtime" : "-static-libtsan")
            // Needed if other options forbid undefined symbols in a library (`-z defs`).
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

    /// Words that need no quotes get none, so that the text can be the value of a variable.
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

/// The compiler that a word calls.
private struct CompilerVersion {
    let isClang: Bool

    init(_ compiler: String) throws(Complaint) {
        // A compiler may have any name, so it is asked.
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
