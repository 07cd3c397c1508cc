import CCompiled

/// The function after which a thread of a compiled program is named: the one that it runs. For a `std::thread`, that is
/// the function which the C++ library calls for it.
struct ThreadFunction {
    private let program: UnsafeMutablePointer<compiled_program_t>
    private let symbols: ProgramSymbols

    init(_ program: UnsafeMutablePointer<compiled_program_t>, _ symbols: ProgramSymbols) {
        self.program = program
        self.symbols = symbols
    }

    /// The function of the C++ library that is the thread function of each `std::thread`. It calls what an object on
    /// the heap, its argument, determines.
    private static let caller = "execute_native_thread_routine"

    /// The beginning of the names of the library's functions that `std::async` runs. They call the function that it was
    /// given.
    private static let ofAsync = "std::__future_base::"

    /// The name of a new thread's function.
    ///
    /// - Parameter request: the request of the thread's creator: `object` is the new thread's function, `mutex` that
    ///   function's argument.
    /// - Returns: nil if it is not known.
    func name(_ request: compiled_request_t) -> String? {
        if let name = symbols.function(at: request.object), name != Self.caller { return name }
        var (start, size, site) = (UInt64(0), UInt64(0), UInt64(0))
        guard program.pointee.block(request.mutex, &start, &size, &site) != 0, start == request.mutex, size >= 8,
            let table = symbols.variableSymbol(at: word(start)), let called = CxxName.called(byThread: table)
        else { return nil }
        if !called.isPointer { return called.text }
        // In the object, the function comes after its arguments.
        for offset in stride(from: Int(size) / 8 * 8 - 8, to: 0, by: -8) {
            let function = word(start + UInt64(offset))
            guard symbols.isStart(ofFunction: function), let name = symbols.function(at: function) else { continue }
            return name.hasPrefix(Self.ofAsync) ? "std::async" : name
        }
        return nil
    }

    private func word(_ address: UInt64) -> UInt64 { program.pointee.word(at: address) }
}
