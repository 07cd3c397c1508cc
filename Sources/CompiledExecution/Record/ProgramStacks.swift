import CCompiled
import Trace

/// The call stacks of a compiled program's threads, in an execution that is shown.
final class ProgramStacks {
    typealias Call = TraceDocument.Site.Call

    private let program: UnsafeMutablePointer<compiled_program_t>
    private let symbols: ProgramSymbols
    /// The program's own calls, without those in library headers, by return address.
    private var calls: [UInt64: [Call]] = [:]
    /// For each of those calls, whether its function is one that allocates memory for others.
    private var allocators: [UInt64: [Bool]] = [:]
    /// The moments at which heap blocks were allocated, by address.
    private var allocations: [UInt64: Moment] = [:]
    /// The moments at which heap blocks were freed, by address.
    private var releases: [UInt64: Moment] = [:]

    /// A thread, and the return addresses of its calls that were in progress.
    struct Moment {
        let thread: Int
        fileprivate let addresses: [UInt64]
    }

    /// The maximum number of calls that are read.
    private static let depth = 64
    /// The maximum number of calls that are shown.
    private static let mostCalls = 12

    init(_ program: UnsafeMutablePointer<compiled_program_t>, _ symbols: ProgramSymbols) {
        self.program = program
        self.symbols = symbols
    }

    /// Begins an execution. The first reading of a stack writes to memory, which causes a page fault (`pages.c`). After
    /// a crash, the fault's handler would overwrite the frames of the thread that crashed. So a stack is read now.
    func begin() { _ = addresses(of: 0) }

    /// The program's own calls in progress, the innermost first. Of successive calls in one line, only the outermost is
    /// listed.
    ///
    /// - Parameter thread: a thread that waits for the engine.
    func calls(of thread: Int) -> [Call] { calls(addresses(of: thread)) }

    /// The call that returns to an address, for a call that is not in progress now: the program's own, or else the
    /// library's innermost.
    func place(of site: UInt64) -> Call? {
        ownCalls(at: site).first ?? symbols.calls(at: site &- 1, withoutLibraries: false).first
    }

    // MARK: - Blocks of the heap

    /// Notes that a block was allocated or freed, and by which calls.
    func noteBlock(_ request: compiled_request_t, of thread: Int) {
        let moment = Moment(thread: thread, addresses: addresses(of: thread))
        switch request.kind {
        case compiled_allocated: allocations[request.object] = moment
        case compiled_freed: releases[request.object] = moment
        // In Swift, a C enumeration can have other values.
        default: break
        }
    }

    func allocation(of block: UInt64) -> Moment? { allocations[block] }
    func release(of block: UInt64) -> Moment? { releases[block] }
    func calls(of moment: Moment) -> [Call] { calls(moment.addresses) }

    /// The place where a block was allocated.
    ///
    /// - Parameter site: the code that allocated it, for a block that is older than the execution.
    func place(ofBlock block: UInt64, _ site: UInt64) -> Call? {
        allocations[block].flatMap(caller) ?? place(of: site)
    }

    /// The call by which the program asked for a block: the innermost in a function that is no allocator, as a program's
    /// own `xmalloc` is. The outermost function, such as a thread's, counts as none.
    private func caller(_ moment: Moment) -> Call? {
        let calls = moment.addresses.flatMap { address in zip(ownCalls(at: address), allocators[address] ?? []) }
        return calls.first { !$0.1 }?.0 ?? calls.last?.0
    }

    // MARK: -

    /// The return addresses of the calls in progress, the innermost first.
    private func addresses(of thread: Int) -> [UInt64] {
        [UInt64](unsafeUninitializedCapacity: Self.depth) { buffer, count in
            count = Int(program.pointee.calls(UInt32(thread), buffer.baseAddress, UInt32(Self.depth)))
        }
    }

    private func calls(_ addresses: [UInt64]) -> [Call] {
        var found: [Call] = []
        for call in addresses.lazy.flatMap({ self.ownCalls(at: $0) }) {
            if let last = found.last, last.file == call.file && last.line == call.line { found.removeLast() }
            found.append(call)
            if found.count == Self.mostCalls { break }
        }
        return found
    }

    /// The program's own calls that return to an address, the innermost first: more than one if functions are inlined.
    func ownCalls(at address: UInt64) -> [Call] {
        if let known = calls[address] { return known }
        // The call comes before the address to which it returns.
        let found = symbols.callsAndAllocators(at: address &- 1)
        calls[address] = found.map(\.call)
        allocators[address] = found.map(\.isAllocator)
        return found.map(\.call)
    }
}
