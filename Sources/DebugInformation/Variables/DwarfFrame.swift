/// A frame of the stack: a call in progress of a thread that is suspended. It computes the addresses of variables from
/// the expressions in the debug information.
package struct DwarfFrame {
    /// The address of the code in progress, in the file.
    package let code: UInt64
    /// The stack pointer (`rsp`), where the frame begins.
    private let stackPointer: UInt64
    /// The base pointer (`rbp`). Not to be confused with DWARF's frame base, which need not be a register.
    private let basePointer: UInt64
    /// The end of the frame, which DWARF calls the canonical frame address (CFA).
    private let end: UInt64
    /// The values of other registers that functions keep for their callers, by their numbers.
    private let kept: [UInt64: UInt64]
    /// Reads a word of the stack.
    private let word: (UInt64) -> UInt64

    package init(
        code: UInt64, stack: UInt64, base: UInt64, end: UInt64, kept: [UInt64: UInt64] = [:],
        word: @escaping (UInt64) -> UInt64
    ) {
        self.code = code
        self.kept = kept
        stackPointer = stack
        basePointer = base
        self.end = end
        self.word = word
    }

    /// The address of a variable. Nil: the variable is not in memory, or its place is not known.
    ///
    /// If a variable is in pieces, and the first of them are constants or in registers, the result is the address that
    /// the whole variable would have.
    ///
    /// - Parameter frameBase: what DWARF calls the function's frame base: see `frameBase(_:)`.
    func address(_ expression: ByteReader, from frameBase: UInt64?) -> UInt64? {
        var reader = expression
        var address: UInt64?
        // The size of all pieces so far.
        var piecesSize: UInt64 = 0
        for _ in 0..<Limits.operations where reader.rest > 0 {
            switch reader.operation() {
            case .breg(let number):
                guard let distance = reader.signed(), let sum = register(number)?.adding(distance) else { return nil }
                address = sum
            case .fbreg:
                guard let distance = reader.signed(), let sum = frameBase?.adding(distance) else { return nil }
                address = sum
            case .plusUconst:
                guard let known = address, let distance = reader.unsigned() else { return nil }
                address = known.saturatingAdd(distance)
            case .deref:
                guard let target = address.flatMap({ pointer(at: $0) }) else { return nil }
                address = target
            case .piece:
                guard let size = reader.unsigned() else { return nil }
                if let known = address { return known >= piecesSize ? known - piecesSize : nil }
                piecesSize = piecesSize.saturatingAdd(size)
            // The variable, or its piece, is not in memory.
            case .lit, .reg, .stackValue: address = nil
            case .addr, .const8u, .callFrameCfa, .addrx, .threadLocal, nil: return nil
            }
        }
        return reader.rest > 0 ? nil : address
    }

    /// The value of a variable that is in a register, or that the expression computes. Nil: the variable is in memory, or
    /// its value is not known.
    func value(_ expression: ByteReader, from frameBase: UInt64?) -> UInt64? {
        var reader = expression
        var value: UInt64?
        for _ in 0..<Limits.operations where reader.rest > 0 {
            switch reader.operation() {
            case .reg(let number): return reader.rest == 0 ? register(number) : nil
            case .breg(let number):
                guard let distance = reader.signed() else { return nil }
                value = register(number)?.adding(distance)
            case .fbreg:
                guard let distance = reader.signed() else { return nil }
                value = frameBase?.adding(distance)
            case .plusUconst:
                guard let distance = reader.unsigned() else { return nil }
                value = value?.saturatingAdd(distance)
            case .deref: value = value.flatMap { pointer(at: $0) }
            case .stackValue: return reader.rest == 0 ? value : nil
            case .addr, .const8u, .lit, .piece, .callFrameCfa, .addrx, .threadLocal, nil: return nil
            }
        }
        return nil
    }

    /// The function's frame base, to which the addresses of its variables are relative and which this expression
    /// computes. Nil: it is not known.
    func frameBase(_ expression: ByteReader) -> UInt64? {
        var reader = expression
        return switch reader.operation() {
        case .callFrameCfa: end
        case .reg(let number): register(number)
        case .addr, .deref, .const8u, .plusUconst, .lit, .breg, .fbreg, .piece, .stackValue, .addrx, .threadLocal:
            address(expression, from: nil)
        case nil: nil
        }
    }

    func contains(_ address: UInt64) -> Bool { address >= stackPointer && address < end }

    /// The word at an address. Nil: it is not in this frame. Nothing else is read, because the address may be wrong.
    func pointer(at address: UInt64) -> UInt64? {
        contains(address) && end - address >= 8 ? word(address) : nil
    }

    /// The numbers of two registers in the ABI of x86-64: `rbp` and `rsp`.
    private enum Register {
        static let base: UInt64 = 6
        static let stack: UInt64 = 7
    }

    private func register(_ number: UInt64) -> UInt64? {
        number == Register.base ? basePointer : number == Register.stack ? stackPointer : kept[number]
    }
}
