import Console
import Glibc
import Supervision
import Text

/// A call of a compiler, with the options that a program needs to run under the scheduler: the compiler instruments
/// memory accesses as for ThreadSanitizer, and threadlab's runtime is linked in place of the sanitizer's.
struct CompilerCall {
    /// Programs that start the compiler, such as ccache.
    private let launchers: [String]
    private let compiler: String
    /// The user's arguments, without those that must be left out.
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

    /// - Parameters:
    ///   - words: the compiler's command line, with at least one word.
    ///   - _: shows that the compiler may be started.
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

    /// The argument as it is passed on. Nil: it is left out. Counters for coverage and profiles would be variables that
    /// all threads share, and the undefined behavior sanitizer needs functions that threadlab's runtime does not have.
    private static func usable(_ argument: String) -> String? {
        let isProfile =
            ["-pg", "--coverage", "-coverage", "-ftest-coverage", "-fcoverage-mapping"].contains(argument)
            || argument.hasPrefix("-fprofile-")
        // The runtime can replace functions of the C++ library only if that is a shared library.
        if isProfile || argument == "-static-libstdc++" { return nil }
        guard argument.hasPrefix("-fsanitize=") else { return argument }
        let names = argument.dropFirst("-fsanitize=".count).split(separator: ",").filter { $0 != "undefined" }
        return names.isEmpty ? nil : "-fsanitize=" + names.joined(separator: ",")
    }

    /// The options for compiling.
    ///
    /// - `_GLIBCXX_ASSERTIONS` makes the compiler instantiate libstdc++'s strings in the program, where they are
    ///   instrumented.
    /// - `-tsan-instrument-read-before-write`: otherwise clang instruments only the write of `x++`, and no lost update
    ///   would be found.
    /// - `-Qunused-arguments`: otherwise clang warns about options that sources in assembly do not use.
    /// - `-fstandalone-debug`: otherwise clang describes a class only in the file of its constructor, and members could
    ///   not be named elsewhere.
    /// - `-Wno-tsan`: otherwise gcc warns that ThreadSanitizer does not support fences, which threadlab does.
    private static func compileFlags(isClang: Bool) -> [String] {
        ["-g", "-fsanitize=thread", "-D_GLIBCXX_ASSERTIONS"]
            + (isClang
                ? ["-mllvm", "-tsan-instrument-read-before-write", "-Qunused-arguments", "-fstandalone-debug"]
                : ["-Wno-tsan"] + calledByGCC.map { "-fno-builtin-" + $0 })
    }

    /// Functions that gcc must call. By default, it replaces calls of them by inline code, which is not instrumented.
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

    /// Options after the user's. With `_FORTIFY_SOURCE`, calls would go to other functions, such as `__memcpy_chk`,
    /// which the runtime does not know.
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
        // With `-fsanitize=thread`, gcc itself links all of `libtsan.a`, which it finds in this folder.
        let folder = runtime.folderOfPath ?? "."
        return ["-L\(folder)", "-static-libtsan", "-rdynamic"]
    }

    /// The suffixes of sources.
    private static let sources = [".c", ".i", ".cc", ".cp", ".cxx", ".cpp", ".c++", ".C", ".CPP", ".ii", ".s", ".S"]
    /// Options with which the call makes neither a program nor a shared library.
    private static let stops = ["-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "-r", "--precompile", "-emit-ast"]
    /// Optimization levels. A later `-O1` overrides them, and for C++ with gcc a later `-O0`: the headers of C++ use
    /// `__builtin_memset` and others, which gcc replaces from `-O1` on by code that is not instrumented.
    private static let levels = ["-O", "-O1", "-O2", "-O3", "-O4", "-Os", "-Oz", "-Ofast", "-Og"]

    /// Whether the call compiles a source.
    private var hasSource: Bool {
        let names = arguments.filter { !$0.hasPrefix("-") }
        return names.contains { name in Self.sources.contains { name.hasSuffix($0) } } || hasLanguage
    }

    /// Whether the language is named, as for a source on standard input.
    private var hasLanguage: Bool { arguments.contains { $0.hasPrefix("-x") } }

    /// Whether there is a file to compile or to link.
    private var hasInput: Bool { arguments.contains { !$0.hasPrefix("-") } || hasLanguage }
    /// Whether the call links a program or a shared library.
    private var links: Bool { hasInput && !isOfHeader && !arguments.contains { Self.stops.contains($0) } }

    /// Whether the call precompiles a header.
    private var isOfHeader: Bool {
        let names = arguments.filter { !$0.hasPrefix("-") }
        func hasName(_ suffixes: [String]) -> Bool {
            names.contains { name in suffixes.contains { name.hasSuffix($0) } }
        }
        // The name of a header can also be the value of an option. Then the call has a source, or something to link.
        let isAlone =
            hasName([".h", ".hh", ".hpp", ".hxx", ".H"]) && !hasLanguage
            && !hasName(Self.sources + [".o", ".a", ".so", ".lo"])
        return isAlone || arguments.contains { $0.hasSuffix("c-header") || $0.hasSuffix("c++-header") }
    }

    private var makesLibrary: Bool { arguments.contains("-shared") }

    /// The user's arguments with those that are added.
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
            // A shared library uses the runtime in the program, and must not contain one. With gcc, `-static-libtsan`
            // keeps the runtime out of a library.
            words.append(isClang ? "-fno-sanitize-link-runtime" : "-static-libtsan")
            // The runtime's functions are undefined in the library, which `-z defs` among the user's options would
            // forbid.
            words.append("-Wl,--unresolved-symbols=ignore-all")
        }
        return words
    }

    /// Throws if there is an option with which a program cannot run under the scheduler.
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

    /// The word, quoted for a shell only if that is necessary, so that the text can be the value of a variable in a
    /// makefile.
    private static func quoted(_ word: String) -> String {
        word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./+,:@=".contains($0)) }
            ? word : word.quotedForShell
    }

    /// Executes the compiler in this process.
    private func replaceProcess() throws(Complaint) -> Never {
        let words = launchers + [compiler] + (try completeArguments())
        var pointers = words.map { strdup($0) } + [nil]
        FileSizeLimit.restore()
        execvp(words[0], &pointers)
        throw Complaint("cannot start the compiler '\(words[0].printable)': \(String(cString: strerror(errno)))")
    }
}

/// Which compiler a word calls. A compiler may have any name, such as `cc`, so it is asked with `--version`.
private struct CompilerVersion {
    let isClang: Bool

    init(_ compiler: String) throws(Complaint) {
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
