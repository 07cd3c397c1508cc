import CCompiled
import Trace

/// Finds where a program's own code has asked for an order weaker than sequential consistency. The engine runs only
/// sequentially consistent executions, so for such a program even a complete search is not a proof.
///
/// While a search runs, only the calls that led to such a step are noted. Whose code chose the order is found out
/// afterwards, because reading the program's lines takes time.
final class WeakOrders {
    private let program: UnsafeMutablePointer<compiled_program_t>
    /// Hashes of the calls that led to requests which this process has noted. A request with a weaker order carries
    /// such a hash in the field `mutex`. Different calls have different hashes. The same calls may have several, so the
    /// hashes are forgotten when there are very many.
    private var known: Set<UInt64> = []
    private static let mostKnown = 1 << 16

    init(_ program: UnsafeMutablePointer<compiled_program_t>) { self.program = program }

    /// Notes the calls that led to a request with a weaker order (`hasWeakerOrder`). Its thread must be waiting for the
    /// engine.
    func note(_ request: compiled_request_t, of thread: Int) {
        if request.mutex != 0 {
            if known.count == Self.mostKnown { known.removeAll() }
            guard known.insert(request.mutex).inserted else { return }
        }
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
        /// The first lines by file and number, such as `file.c:3,4`. Empty: weaker orders were used, but their lines
        /// are not known.
        let first: [String]
        /// The number of lines besides the first ones.
        let more: Int

        /// The maximum number of first lines.
        static let most = 8
    }

    /// The lines of the program that have asked for weaker orders, from what all processes have noted. Nil: there are
    /// none.
    static func lines(of program: compiled_program_t, _ symbols: ProgramSymbols) -> Lines? {
        guard let firsts = program.firsts else { return nil }
        // Whether further places were not noted, for want of room.
        let isCut = program.notes[Int(compiled_many_orders.rawValue)] != 0
        let count = min(Int(firsts.pointee.order_count), Int(COMPILED_MOST_ORDERS))
        if count == 0 { return isCut ? Lines(first: [], more: 0) : nil }
        var places: [(file: String, line: Int)] = []
        withUnsafeBytes(of: &firsts.pointee.orders) { bytes in
            // A process that was killed while it added an order has left an empty entry.
            for order in bytes.bindMemory(to: compiled_order_t.self).prefix(count) where order.count > 0 {
                guard let place = place(of: order, symbols) else { continue }
                if !places.contains(where: { $0 == place }) { places.append(place) }
            }
        }
        guard !places.isEmpty || isCut else { return nil }
        places.sort { ($0.file, $0.line) < ($1.file, $1.line) }
        // Several lines of one file are written together: `file.c:3,4`.
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

    /// The line of the program that chose the order, or `?` if no line is known. Nil: the C++ library's own
    /// implementation chose it, or code that the compiler added.
    private static func place(of order: compiled_order_t, _ symbols: ProgramSymbols) -> (file: String, line: Int)? {
        // `_ZGV` begins the name of a guard variable, by which the compiler initializes a static local variable on its
        // first use.
        if order.object != 0, symbols.variableSymbol(at: order.object)?.hasPrefix("_ZGV") ?? false { return nil }
        let calls = withUnsafeBytes(of: order.calls) { bytes in
            bytes.bindMemory(to: UInt64.self).prefix(Int(order.count)).flatMap {
                // The call comes before the address to which it returns.
                symbols.calls(at: $0 &- 1, withoutLibraries: false)
            }
        }
        // The innermost call comes first. The functions of `std::atomic` pass on the order that their caller chose.
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

/// The headers of the C++ library, by the folders in which compilers install them.
private enum CxxLibrary {
    static func contains(_ file: String) -> Bool { file.contains("/include/c++/") || file.contains("/c++/v1/") }

    /// Whether the header implements `std::atomic`, whose callers choose the order.
    static func isOfAtomics(_ file: String) -> Bool {
        contains(file)
            && (file.hasSuffix("/atomic") || file.hasSuffix("/bits/atomic_base.h") || file.contains("/__atomic/"))
    }

    /// Whether the header implements `std::atomic::wait`. Called from an atomic, it uses the order that the atomic's
    /// caller chose.
    static func isOfWaiting(_ file: String) -> Bool {
        file.hasSuffix("/bits/atomic_wait.h") || file.hasSuffix("/bits/atomic_timed_wait.h")
    }
}
