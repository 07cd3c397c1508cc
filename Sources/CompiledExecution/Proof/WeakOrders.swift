import CCompiled
import Trace

/// Where a program's own code has asked for an order that is weaker than sequential consistency: executions are sequentially consistent, so
/// a search of all of them is no proof then.
///
/// While a search runs, it is only noted by which calls such a step was reached. Whose code has chosen the order is asked afterwards,
/// because to read the program's lines takes time.
final class WeakOrders {
    private let program: UnsafeMutablePointer<compiled_program_t>
    /// What this process has noted: the ways that have led to such steps (`compiled_request_t`, `mutex`).
    private var known: Set<UInt64> = []

    init(_ program: UnsafeMutablePointer<compiled_program_t>) { self.program = program }

    /// The thread waits for the engine with such a request.
    func note(_ request: compiled_request_t, of thread: Int) {
        guard known.insert(request.mutex).inserted else { return }
        var order = compiled_order_t()
        order.object = request.isOnMemory ? request.object : 0
        withUnsafeMutableBytes(of: &order.calls) { calls in
            let addresses = calls.bindMemory(to: UInt64.self)
            order.count = program.pointee.calls(UInt32(thread), addresses.baseAddress, UInt32(addresses.count))
        }
        if compiled_add_order(program.pointee.firsts, &order) == 0 {
            program.pointee.notes[Int(compiled_many_orders.rawValue)] = 1
        }
    }
}

extension WeakOrders {
    /// The lines of the program that have asked for weaker orders.
    struct Lines: Equatable, Sendable {
        /// The first ones, as they are in the program's code. Empty: where is not known.
        let first: [String]
        /// How many there are besides.
        let more: Int

        static let most = 8
    }

    /// Nil: there are none.
    static func lines(of program: compiled_program_t, _ symbols: ProgramSymbols) -> Lines? {
        guard let firsts = program.firsts else { return nil }
        let isCut = program.notes[Int(compiled_many_orders.rawValue)] != 0
        let count = min(Int(firsts.pointee.order_count), Int(COMPILED_MOST_ORDERS))
        if count == 0 { return isCut ? Lines(first: [], more: 0) : nil }
        var places: [(file: String, line: Int)] = []
        withUnsafeBytes(of: &firsts.pointee.orders) { bytes in
            // A process that was ended while it added one has left it empty.
            for order in bytes.bindMemory(to: compiled_order_t.self).prefix(count) where order.count > 0 {
                guard let place = place(of: order, symbols) else { continue }
                if !places.contains(where: { $0 == place }) { places.append(place) }
            }
        }
        guard !places.isEmpty || isCut else { return nil }
        places.sort { ($0.file, $0.line) < ($1.file, $1.line) }
        // Several of one file as `file.c:3,4`.
        var first: [String] = []
        for (number, place) in places.prefix(Lines.most).enumerated() {
            if number > 0 && places[number - 1].file == place.file {
                first[first.count - 1] += ",\(place.line)"
            } else {
                first.append("\(place.file.lastComponent):\(place.line)")
            }
        }
        return Lines(first: first, more: max(0, places.count - Lines.most))
    }

    /// The program's line that has chosen the order. Nil: the C++ library has, for something that it is made of, or the compiler.
    private static func place(of order: compiled_order_t, _ symbols: ProgramSymbols) -> (file: String, line: Int)? {
        // A variable that is initialized when it is first used has a guard.
        if order.object != 0, symbols.table(at: order.object)?.hasPrefix("_ZGV") ?? false { return nil }
        let calls = withUnsafeBytes(of: order.calls) { bytes in
            bytes.bindMemory(to: UInt64.self).prefix(Int(order.count)).flatMap {
                // The call comes before the address to which it returns.
                symbols.calls(at: $0 &- 1, isOwn: false)
            }
        }
        var isByAtomic = false
        for call in calls {
            if CxxLibrary.isOfAtomics(call.file) {
                isByAtomic = true
            } else if !(isByAtomic && CxxLibrary.isOfWaiting(call.file)) {
                return CxxLibrary.contains(call.file) ? nil : (call.file, call.line)
            }
        }
        return calls.last.map { ($0.file, $0.line) } ?? ("?", 0)
    }
}

/// The headers of the C++ library, as compilers install them.
private enum CxxLibrary {
    static func contains(_ file: String) -> Bool { file.contains("/include/c++/") || file.contains("/c++/v1/") }

    /// Those in which the functions of `std::atomic` are, whose callers choose the order.
    static func isOfAtomics(_ file: String) -> Bool {
        contains(file)
            && (file.hasSuffix("/atomic") || file.hasSuffix("/bits/atomic_base.h") || file.contains("/__atomic/"))
    }

    /// By which an atomic waits, with the order that its caller has chosen.
    static func isOfWaiting(_ file: String) -> Bool {
        file.hasSuffix("/bits/atomic_wait.h") || file.hasSuffix("/bits/atomic_timed_wait.h")
    }
}
