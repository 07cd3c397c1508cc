import Diagnosis
import Execution
import Foundation
@_spi(Internal) @_spi(MemoryReaders) import Runtime
import Supervision
import Trace

/// Notes the calls that are in progress at each operation of a run. After the run, it finds the functions and lines of
/// those that matter to a finding, and adds them to the trace.
///
/// Taking the addresses of some calls costs some microseconds, and so does naming a function. Finding a line costs many
/// milliseconds, because all of the program's debug information is searched. So lines are looked up last, and not for
/// calls in the lab itself.
final class CallStacks: CallExplainer {
    private struct Stack: Hashable {
        let place: SourceSite
        /// The addresses of the calls, the innermost first.
        let addresses: [Backtrace.Address]

        func hash(into hasher: inout Hasher) {
            hasher.combine(place.word)
            hasher.combine(addresses)
        }
    }

    private let notes: CallNotes
    /// Whether the run has its own process, forked from this one, with the same addresses.
    private let isOfFork: Bool
    /// The number of the note about each stack.
    private var numbers: [Stack: Int] = [:]
    /// For each address, a backtrace with only this call: Swift can symbolicate backtraces, but not addresses.
    private var backtraces: [Backtrace.Address: Backtrace] = [:]
    private var functions: [Backtrace.Address: String?] = [:]
    private var calls: [Backtrace.Address: [TraceDocument.Site.Call]] = [:]

    /// The maximum number of calls that are noted for one operation.
    private static let depth = 64

    /// The images that the process had loaded at the first use. Listing them takes milliseconds, so it is done only
    /// once.
    private static let images = loadedImages()

    /// Swift reads each region of memory that the kernel names, and other threads may unmap one meanwhile. So the kernel
    /// reads for it, and fails where `ImageMap.capture()` would crash.
    static func loadedImages() -> ImageMap {
        let images = ImageMap.capture(using: UncachedRemoteMemoryReader(pid: getpid()), forProcess: Int(getpid()))
        // Some containers forbid that: there it can crash, but there is no other way.
        return images.isEmpty ? ImageMap.capture() : images
    }

    init(ofFork isOfFork: Bool) throws(SupervisionFailed) {
        self.isOfFork = isOfFork
        notes = try CallNotes()
    }

    // MARK: - During the run

    func noteCalls(at site: SourceSite) -> SourceSite {
        let stack = Stack(place: site, addresses: callsInProgress())
        if stack.addresses.isEmpty { return site }
        guard let number = numbers[stack] ?? notes.add(.stack, site.word, stack.addresses.map(\.word)) else {
            return site
        }
        numbers[stack] = number
        return SourceSite(calls: number, line: site.line)
    }

    func noteCreation(of object: UInt32) {
        _ = notes.add(.creation, UInt64(object), callsInProgress().map(\.word))
    }

    func place(ofStack number: Int) -> SourceSite { notes.note(number)?.place ?? .unknown }

    /// The addresses of the calls in progress, the innermost first. Both backtraces are captured in this function
    /// itself, because frames are numbered from the function that captures.
    private func callsInProgress() -> [Backtrace.Address] {
        guard let backtrace = try? Backtrace.capture(limit: Self.depth, top: 0, images: Self.images) else { return [] }
        var addresses: [Backtrace.Address] = []
        for (index, frame) in backtrace.frames.enumerated() {
            guard let address = frame.callAddress else { break }
            addresses.append(address)
            // The limit is 2, because a mark for the frames that were left out takes the place of one frame.
            if backtraces[address] == nil,
                let one = try? Backtrace.capture(limit: 2, offset: index, top: 0, images: Self.images)
            {
                backtraces[address] = one
                if isOfFork, let text = try? JSONEncoder().encode(one) {
                    notes.add(.address, address.word, bytes: [UInt8](text))
                }
            }
        }
        return addresses
    }

    // MARK: - After the run

    func explain(_ finding: Finding, in trace: inout TraceDocument, site: (SourceSite) -> SiteID?) {
        var creations: [UInt64: [Backtrace.Address]] = [:]
        let notes = notes.notes
        if isOfFork { readAddresses(notes) }
        for note in notes {
            if note.kind == .creation { creations[note.subject] = note.addresses }
            guard let place = note.place, let id = site(SourceSite(calls: note.number, line: place.line)),
                finding.sites.contains(id)
            else { continue }
            // If only one function of the program is involved, its calls add nothing to the line.
            guard Set(note.addresses.compactMap(function)).count > 1 else { continue }
            trace.sites[Int(id.index)]?.calls = calls(note.addresses) { _ in true }
        }
        var used = Set(trace.objects.compactMap { $0?.name } + trace.threads.map(\.name))
        for object in finding.objects.sorted(by: { $0.index < $1.index }) {
            guard let addresses = creations[UInt64(object.index)], let traced = trace.object(object) else { continue }
            let makers = calls(addresses, while: CreatedObject.needsCaller)
            trace.objects[Int(object.index)]?.origin = CreatedObject.origin(makers)
            guard let name = CreatedObject.name(traced.kind, makers) else { continue }
            // A second object of this name is called `Merge.lock 2`.
            let unique = ([name] + (2...(used.count + 2)).map { "\(name) \($0)" }).first { !used.contains($0) }
            trace.objects[Int(object.index)]?.name = unique ?? name
            used.insert(unique ?? name)
        }
    }

    /// Reads the notes of the run's process, which has ended.
    private func readAddresses(_ notes: [CallNotes.Note]) {
        for note in notes where note.kind == .address {
            backtraces[Backtrace.Address(note.subject)] = try? JSONDecoder().decode(
                Backtrace.self, from: Data(note.bytes))
        }
    }

    /// The calls in the program itself, not in the lab or the system. Of several calls on one line, the outermost is
    /// listed.
    ///
    /// - Parameter isWanted: whether, after this call, its caller is listed too.
    private func calls(
        _ addresses: [Backtrace.Address], while isWanted: (TraceDocument.Site.Call) -> Bool
    ) -> [TraceDocument.Site.Call] {
        var found: [TraceDocument.Site.Call] = []
        for call in addresses.lazy.flatMap({ self.calls(at: $0) }) {
            if let last = found.last, last.file == call.file && last.line == call.line { found.removeLast() }
            found.append(call)
            if found.count == Self.mostCalls || !isWanted(call) { break }
        }
        return found
    }

    /// The maximum number of calls that are shown.
    private static let mostCalls = 12

    /// The function of the program that contains the address, or the function around it if it is a closure. Nil: the
    /// address is in a function of the lab or of C.
    private func function(_ address: Backtrace.Address) -> String? {
        if let known = functions[address] { return known }
        let symbol = frames(at: address, [.useSymbolCache]).first?.symbol
        let function = symbol.flatMap { LabSources.haveFunction($0.rawName) ? nil : FunctionName.outermost($0.name) }
        functions[address] = .some(function)
        return function
    }

    /// The call at the address, and the calls that are inlined there.
    private func calls(at address: Backtrace.Address) -> [TraceDocument.Site.Call] {
        if let known = calls[address] { return known }
        let found = function(address) == nil ? [] : frames(at: address, .default).compactMap(\.call)
        calls[address] = found
        return found
    }

    /// The frames at the address, the innermost first: those of inlined functions, and that of the function itself.
    private func frames(
        at address: Backtrace.Address, _ options: Backtrace.SymbolicationOptions
    ) -> [SymbolicatedBacktrace.Frame] {
        let frames = backtraces[address]?.symbolicated(options: options).map { Array($0.frames) } ?? []
        return Array(frames.prefix { $0.captured.callAddress == address })
    }
}

extension CallNotes.Note {
    /// The place of the operation. Nil: the note is not about an operation.
    fileprivate var place: SourceSite? { kind == .stack ? SourceSite(word: subject) : nil }

    fileprivate var addresses: [Backtrace.Address] { content.map { Backtrace.Address($0) } }
}

extension Backtrace.Address {
    fileprivate var word: UInt64 { UInt64(self) ?? 0 }
}

extension Backtrace.Frame {
    /// The address of the call. Nil: the frame stands for omitted calls.
    fileprivate var callAddress: Backtrace.Address? {
        switch self {
        case .programCounter, .returnAddress, .asyncResumePoint: adjustedProgramCounter
        case .omittedFrames, .truncated: nil
        @unknown default: nil
        }
    }
}

extension SymbolicatedBacktrace.Frame {
    /// The call. Nil: it is in the lab or the system, or generated by the compiler.
    fileprivate var call: TraceDocument.Site.Call? {
        guard !isSwiftThunk, !isSwiftRuntimeFailure, !isSystem, let symbol, let place = symbol.sourceLocation,
            place.line > 0, place.path.hasPrefix("/"), !LabSources.contain(place.path)
        else { return nil }
        return .init(function: FunctionName.readable(symbol.name), file: place.path, line: place.line)
    }
}

/// The lab's own sources, whose calls say nothing about the program.
private enum LabSources {
    /// The folder `Sources` of the lab: the path of this file without its last three components.
    private static let folder = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined() + "/"

    /// The prefixes of symbols in the modules between a program and its runtime.
    private static let modules = [
        "Authoring", "Execution", "Primitives", "Supervision", "ThreadLabTesting", "ThreadLabTypes",
    ].map { "$s\($0.utf8.count)\($0)" }

    /// Whether the function, by its symbol, certainly belongs to the lab, or is written in C.
    static func haveFunction(_ symbol: String) -> Bool {
        !symbol.hasPrefix("$s") || modules.contains { symbol.hasPrefix($0) }
    }

    /// Whether the file is one of the lab's. Built-in scenarios count as programs.
    static func contain(_ path: String) -> Bool {
        path.hasPrefix(folder) && !path.dropFirst(folder.count).hasPrefix("Scenarios/")
    }
}
