import CCompiled
import DebugInformation
import Glibc

/// A reason why a search of a compiled program is not a proof: the program did something that the scheduler does not
/// control, or that is not a step. This list is the only place that decides it.
///
/// Some code cannot be recognized: assembly, system calls in assembly, and functions that are found by `dlvsym`.
enum Escape: Equatable, Sendable {
    /// A source file was compiled without instrumentation, so nothing reports its accesses.
    case source(String)
    /// The program was not built by `threadlab cc`, but by gcc alone for ThreadSanitizer.
    case builtBefore
    /// The program or a library has no symbols that name its sources. The name is the library's. Nil: the file is the
    /// program itself.
    case file(String?)
    /// The program has loaded a library whose own code is not instrumented.
    case library(String)
    /// The program uses a function from outside the instrumented code that the runtime does not control, and of which
    /// it is not known what memory it accesses.
    case function(String)
    /// The program has called a function that is known to depend on more than the schedule.
    case called(String)
    /// At this number of places in the code, the search has found accesses to memory that several threads use. They
    /// were not known as steps when the search began, so other threads could not step in between.
    case places(Int)
    /// There was a step on very many bytes, and a step on memory that was not seen while steps were learned. Whether
    /// the two have bytes in common is not known.
    case manyBytes
    /// There was no room to note everything that the program accesses.
    case overflow
    /// Atomic operations were on parts of memory that other accesses use as a whole. Here they may order more than they
    /// do in reality.
    case atomicsInParts
    /// A library has released memory that other threads have used. The library's code takes no steps, so no order was
    /// tried in which another thread uses the memory after its release.
    case releasedByLibrary
    /// A round of a polling loop differed from the one before, although nothing that the thread watches had changed, so
    /// some orders were not tried.
    case differentRounds
    /// The program's atomic operations have weaker orders than sequential consistency, under which it is searched.
    case weakOrders(WeakOrders.Lines)
    /// In this line, the program uses a lock, a condition or a semaphore that may not have been initialized.
    case unmade(String)

    /// One sentence.
    var description: String {
        switch self {
        case .file(let name):
            "\(name ?? "The program's file") has no list of symbols, which says what it was made of."
        case .builtBefore:
            "The program was not built by 'threadlab cc': what gcc puts in the place of functions, as of 'strcpy', tells of no accesses."
        case .source(let name): "\(name) was not compiled by 'threadlab cc', so nothing tells what its code accesses."
        case .library(let name):
            "The program has loaded \(name), of which nothing tells what its own code does: before 'main', on threads of its own."
        case .function(let name):
            "The program uses '\(CxxName(name)?.text ?? name)', of which threadlab does not know what it accesses."
        case .called(let name):
            "The program has called '\(CxxName(name)?.text ?? name)', and not all that it does is decided by the schedule."
        case .places(1):
            "1 place in the code accesses memory that several threads use, which only the search showed: other threads could not step in "
                + "between there."
        case .places(let count):
            "\(count) places in the code access memory that several threads use, which only the search showed: other threads could not "
                + "step in between there."
        case .manyBytes:
            "An access of more than \(8 * COMPILED_MOST_GRANULES) bytes may have met accesses of memory that only the search showed."
        case .overflow: "The program accesses more memory than threadlab can follow."
        case .releasedByLibrary:
            "A library has released memory that other threads have used, and no step of theirs could come after that."
        case .differentRounds:
            "A loop of reads has ended by something that is not seen, and other threads could not step before that."
        case .weakOrders(let lines):
            "The program was searched under sequential consistency only, and "
                + (lines.first.isEmpty
                    ? "atomic operations at more places than can be noted have weaker orders: whether one is its own is not known."
                    : "its atomic operations have weaker orders at \(lines.first.joined(separator: ", "))"
                        + (lines.more == 0 ? "." : " and in \(lines.more) more lines."))
        case .unmade(let line):
            "What is locked, signaled or waited for at \(line) is in new memory, and was not seen while steps were learned: whether it was "
                + "initialized is not known."
        case .atomicsInParts: "Atomic operations of different sizes were on the same memory."
        }
    }
}

extension HostedProgram {
    /// The first known escape: what executions have shown so far, or code whose effects are not known. Nil: there is
    /// none.
    var escape: Escape? {
        if let lines = WeakOrders.lines(of: pointer.pointee, symbols) { return .weakOrders(lines) }
        if let unknownCode { return unknownCode }
        if let called { return .called(called) }
        if let site = pointer.pointee.firsts?.pointee.unmade_site, site != 0 {
            return .unmade(symbols.line(ofCall: site) ?? "an unknown line")
        }
        if unlearned > 0 { return .places(unlearned) }
        if has(compiled_overflow) { return .overflow }
        if has(compiled_on_many) && has(compiled_on_unlearned) { return .manyBytes }
        if has(compiled_atomic_in_parts) { return .atomicsInParts }
        if has(compiled_released_by_library) { return .releasedByLibrary }
        if roundsDiffer { return .differentRounds }
        return nil
    }

    /// The name of the first file, other than the C and C++ libraries, whose code does not report its accesses. It may
    /// have locks of its own. Nil: none is known, or it is the program itself.
    var unseenPart: String? {
        switch unknownCode {
        case .file(let name): name
        case .source(let name), .library(let name): name
        case .function: LoadedLibraries.firstUnknown(besides: files)
        default: nil
        }
    }

    private var called: String? { pointer.pointee.firsts.flatMap { String(firstBytes: $0.pointee.called) } }

    var roundsDiffer: Bool { has(compiled_rounds_differ) }

    private func has(_ note: compiled_note_t) -> Bool { pointer.pointee.notes[Int(note.rawValue)] != 0 }
}

extension String {
    /// The text in a C array, up to its zero byte. Nil: it is empty.
    init?(firstBytes field: some BitwiseCopyable) {
        let text = withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        if text.isEmpty { return nil }
        self = text
    }
}

extension Escape {
    /// The first code whose effects are not known: in these files, in the functions that they use, or in other
    /// libraries. Nil: there is none.
    static func unknownCode(in files: [ProgramFile]) -> Escape? {
        var defined: Set<String> = []
        var used: Set<String> = []
        if files.contains(where: \.isRuntime) { return .builtBefore }
        for (number, file) in files.enumerated() {
            let elf = ElfFile(file.path)
            func section(_ name: String) -> [UInt8] { elf?.section(name) ?? [] }
            let sources = SymbolTable.sources(symbols: section(".symtab"), names: section(".strtab"))
            if sources.isEmpty { return .file(file.name) }
            if let source = KnownSources.firstUnknown(sources) { return .source(source) }
            let names = SymbolTable.interface(
                symbols: section(".dynsym"), names: section(".dynstr"), relocations: section(".rela.dyn"))
            guard let names else { return .file(file.name) }
            // The first file is the program's own. If a library defines a name that the C library has, too, it is not
            // known which of the two is used, so the name does not count as defined.
            defined.formUnion(number == 0 ? names.defined : names.defined.filter { dlsym(nil, $0) == nil })
            used.formUnion(names.used)
        }
        let unknown = used.subtracting(defined).filter { !KnownFunctions.contains($0) }
        if let name = unknown.min() { return .function(name) }
        return LoadedLibraries.firstUnknown(besides: files).map { .library($0) }
    }
}
