import CCompiled
import Execution
import Machine

/// Keeps a data race of libstdc++ itself out of reports: that of a `std::atomic<std::shared_ptr>`, which has a lock in
/// its lowest bit.
///
/// A load releases this lock with relaxed order. So, by the C++ standard, the load's read of the pointer and the next
/// store are a data race. It does no harm on any processor that the library supports, and no program can avoid it. So
/// this release, and that by a compare-exchange that finds another pointer, get the order that the library's authors
/// meant.
///
/// That order also covers everything else that the thread has done before the release, which the authors did not mean.
/// A data race there would not be found, so a search with such a release is not a proof.
enum LibraryLocks {
    /// The end of the path of the header that implements it.
    private static let header = "/bits/shared_ptr_atomic.h"

    private struct Known {
        var symbols: ProgramSymbols?
        /// Whether code is from the header, by the address of the code.
        var areOfHeader: [UInt64: Bool] = [:]
    }

    /// What is known about the process's only program.
    private static let known = Guarded(Known())

    /// The orders of an atomic request: its own, unless it is such a release.
    @inline(always)
    static func orders(
        of request: UnsafeMutablePointer<compiled_request_t>, _ program: UnsafeMutablePointer<compiled_program_t>
    ) -> Operation.Orders {
        isWeakDecrement(request.pointee) && isRelease(request.pointee, program)
            ? released(request.pointee, program) : request.pointee.orders
    }

    /// The orders that such a release should have had. Also notes the release like a call that the schedule alone does
    /// not decide (`Escape.called`), so that the search is not a proof.
    @inline(never)
    private static func released(
        _ request: compiled_request_t, _ program: UnsafeMutablePointer<compiled_program_t>
    ) -> Operation.Orders {
        if let firsts = program.pointee.firsts, firsts.pointee.called.0 == 0 {
            withUnsafeMutableBytes(of: &firsts.pointee.called) { called in
                called.copyBytes(from: "std::atomic<std::shared_ptr>::load".utf8)
            }
        }
        // 0 is C's relaxed order. Otherwise the order is consume or acquire (`isWeakDecrement`).
        return request.order == 0
            ? Operation.Orders(.release, failure: .relaxed) : Operation.Orders(.acqRel, failure: .acquire)
    }

    /// Whether the request can be such a release: a decrement of eight bytes with an order that is no stronger than
    /// acquire (C's order 2). Only for these the program's lines are read, which takes time.
    @inline(always) private static func isWeakDecrement(_ request: compiled_request_t) -> Bool {
        request.kind == compiled_add && request.order <= 2 && request.a == -1 && request.size == 8
    }

    /// Whether such a decrement releases the lock: the lock's bit is set, and the code is from the header.
    @inline(never)
    private static func isRelease(
        _ request: compiled_request_t, _ program: UnsafeMutablePointer<compiled_program_t>
    ) -> Bool {
        guard program.pointee.peek(request.object, 8) & 1 == 1 else { return false }
        return known.withLock { known in
            if let answer = known.areOfHeader[request.site] { return answer }
            let symbols = known.symbols ?? ProgramSymbols(ProgramFile.all(of: program))
            known.symbols = symbols
            // The return address may already be on the next line: hence the subtraction. The innermost call is the
            // atomic's own function, so its caller is tested, too.
            let calls = symbols.calls(at: request.site - 1, withoutLibraries: false).prefix(2)
            let answer = calls.contains { $0.file.hasSuffix(header) }
            known.areOfHeader[request.site] = answer
            return answer
        }
    }
}
