import CCompiled
import Execution
import Machine

/// The lock that a `std::atomic<std::shared_ptr>` of libstdc++ has in its lowest bit.
///
/// A load releases it without an order, so by the letter what it reads is a data race with the next store. It is none on any processor
/// that the library is for, and no program can correct it. Here the release has the order that the library's authors meant. So does that of
/// a compare-exchange that finds another pointer.
///
/// That order is also of all that the thread has done before, which the authors did not mean: a data race in it would not be found. So a
/// search with such a release is no proof.
enum LibraryLocks {
    private static let header = "/bits/shared_ptr_atomic.h"

    private struct Known {
        var symbols: ProgramSymbols?
        /// By the place in the code.
        var areOfHeader: [UInt64: Bool] = [:]
    }

    /// Of the process's only program.
    private static let known = Guarded(Known())

    @inline(always)
    static func orders(
        of request: UnsafeMutablePointer<compiled_request_t>, _ program: UnsafeMutablePointer<compiled_program_t>
    ) -> Operation.Orders {
        isWeakDecrement(request.pointee) && isRelease(request.pointee, program)
            ? released(request.pointee, program) : request.pointee.orders
    }

    /// Its step is noted as a call whose effects are not known.
    @inline(never)
    private static func released(
        _ request: compiled_request_t, _ program: UnsafeMutablePointer<compiled_program_t>
    ) -> Operation.Orders {
        if let firsts = program.pointee.firsts, firsts.pointee.called.0 == 0 {
            withUnsafeMutableBytes(of: &firsts.pointee.called) { called in
                called.copyBytes(from: "std::atomic<std::shared_ptr>::load".utf8)
            }
        }
        return request.order == 0
            ? Operation.Orders(.release, failure: .relaxed) : Operation.Orders(.acqRel, failure: .acquire)
    }

    /// Only such steps are looked at more closely: to read the program's lines takes time.
    @inline(always) private static func isWeakDecrement(_ request: compiled_request_t) -> Bool {
        request.kind == compiled_add && request.order <= 2 && request.a == -1 && request.size == 8
    }

    @inline(never)
    private static func isRelease(
        _ request: compiled_request_t, _ program: UnsafeMutablePointer<compiled_program_t>
    ) -> Bool {
        guard program.pointee.peek(request.object, 8) & 1 == 1 else { return false }
        return known.withLock { known in
            if let answer = known.areOfHeader[request.site] { return answer }
            let symbols = known.symbols ?? ProgramSymbols(ProgramFile.all(of: program))
            known.symbols = symbols
            // The address to which a call returns may be of the next line. The innermost call is that of the atomic.
            let calls = symbols.calls(at: request.site - 1, isOwn: false).prefix(2)
            let answer = calls.contains { $0.file.hasSuffix(header) }
            known.areOfHeader[request.site] = answer
            return answer
        }
    }
}
