import CCompiled
import DebugInformation
import Glibc

/// What a compiled program does that the scheduler does not decide, or that is not a step: what a search says of it is a proof only if there
/// is nothing of the kind. This list is the only place that decides it.
///
/// Nothing shows code that hides what it does: assembly, system calls in it, and functions that are found by `dlvsym`.
enum Escape: Equatable, Sendable {
    /// A file of its source was compiled without what tells of accesses.
    case source(String)
    /// gcc has built it for ThreadSanitizer, by itself.
    case builtBefore
    /// Of which sources it, or a library, was made is not known. Nil: the program itself.
    case file(String?)
    /// It has loaded a library of whose own code nothing is known.
    case library(String)
    /// It calls a function outside of what `threadlab cc` has compiled that is neither under control nor known to touch nothing.
    case function(String)
    /// It has called one that is known to depend on more than the schedule.
    case called(String)
    /// This number of places in its code access memory that several threads use, which only the search has shown.
    case places(Int)
    /// A step on very many bytes, beside steps on memory of which nothing was learned: whether they meet is not known.
    case manyBytes
    /// There was no room to note all that it accesses.
    case overflow
    /// Atomic operations were on parts of what others access as a whole: they may order more here than they do.
    case atomicsInParts
    /// A library has released memory that other threads have used. Its code takes no steps, so they could not use it after that.
    case releasedByLibrary
    /// A loop that seemed to do nothing but read has ended by something else.
    case differentRounds
    /// Atomic operations have weaker orders than executions have.
    case weakOrders(WeakOrders.Lines)
    /// In this line, a lock, a condition or a semaphore is used that may not have been initialized.
    case unmade(String)

    /// A sentence.
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
    /// The first of what the program has done, as far as executions have shown, which keeps a search from being a proof.
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

    /// The first file of code that tells of no accesses, other than the C and C++ libraries: it may have locks of its own. Nil: there is none.
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
    /// The text in a field of C, up to its zero. Nil: it is empty.
    init?(firstBytes field: some BitwiseCopyable) {
        let text = withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        if text.isEmpty { return nil }
        self = text
    }
}

extension Escape {
    /// The first of a program's code of which it is not known what it does: in these files, in what they use, and in other libraries.
    static func unknownCode(in files: [ProgramFile]) -> Escape? {
        // A library's names may be the C library's too, and then it is not known whose are found.
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
            defined.formUnion(number == 0 ? names.defined : names.defined.filter { dlsym(nil, $0) == nil })
            used.formUnion(names.used)
        }
        let unknown = used.subtracting(defined).filter { !KnownFunctions.contains($0) }
        if let name = unknown.min() { return .function(name) }
        return LoadedLibraries.firstUnknown(besides: files).map { .library($0) }
    }
}
