import CCompiled
import Trace

/// By which calls the threads of a compiled program got to where they are, in an execution that is shown.
final class ProgramStacks {
    typealias Call = TraceDocument.Site.Call

    private let program: UnsafeMutablePointer<compiled_program_t>
    private let symbols: ProgramSymbols
    /// By address: the calls there that are the program's own.
    private var calls: [UInt64: [Call]] = [:]
    /// By block of the heap.
    private var allocations: [UInt64: Moment] = [:]
    private var releases: [UInt64: Moment] = [:]

    /// A thread, and the calls that were in progress.
    struct Moment {
        let thread: Int
        fileprivate let addresses: [UInt64]
    }

    /// The maximum numbers of calls looked at, and shown.
    private static let depth = 64
    private static let mostCalls = 12

    init(_ program: UnsafeMutablePointer<compiled_program_t>, _ symbols: ProgramSymbols) {
        self.program = program
        self.symbols = symbols
    }

    /// An execution begins. What reading stacks writes first, once, is a fault of a page (`pages.c`), and its handler would use the memory
    /// where the frames of a thread are that has crashed: so that is done now.
    func begin() { _ = addresses(of: 0) }

    /// The program's own calls in progress, the innermost first; those in one line once.
    ///
    /// - Parameter thread: it waits for the engine.
    func calls(of thread: Int) -> [Call] { calls(addresses(of: thread)) }

    /// Of what is not in progress now.
    func place(of site: UInt64) -> Call? { calls(at: site).first ?? symbols.calls(at: site &- 1, isOwn: false).first }

    // MARK: - Blocks of the heap

    func noteBlock(_ request: compiled_request_t, of thread: Int) {
        let moment = Moment(thread: thread, addresses: addresses(of: thread))
        switch request.kind {
        case compiled_allocated: allocations[request.object] = moment
        case compiled_freed: releases[request.object] = moment
        // An enumeration of C, which Swift cannot see the cases of.
        default: break
        }
    }

    func allocation(of block: UInt64) -> Moment? { allocations[block] }
    func release(of block: UInt64) -> Moment? { releases[block] }
    func calls(of moment: Moment) -> [Call] { calls(moment.addresses) }

    /// - Parameter site: of the code that allocated it, if that was before the execution.
    func place(ofBlock block: UInt64, _ site: UInt64) -> Call? {
        allocations[block].flatMap { calls(of: $0).first } ?? place(of: site)
    }

    // MARK: -

    private func addresses(of thread: Int) -> [UInt64] {
        [UInt64](unsafeUninitializedCapacity: Self.depth) { buffer, count in
            count = Int(program.pointee.calls(UInt32(thread), buffer.baseAddress, UInt32(Self.depth)))
        }
    }

    private func calls(_ addresses: [UInt64]) -> [Call] {
        var found: [Call] = []
        for call in addresses.lazy.flatMap({ self.calls(at: $0) }) {
            if let last = found.last, last.file == call.file && last.line == call.line { found.removeLast() }
            found.append(call)
            if found.count == Self.mostCalls { break }
        }
        return found
    }

    private func calls(at address: UInt64) -> [Call] {
        if let known = calls[address] { return known }
        // The call comes before the address to which it returns.
        let found = symbols.calls(at: address &- 1, isOwn: true)
        calls[address] = found
        return found
    }
}
