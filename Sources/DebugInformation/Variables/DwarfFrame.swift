/// A call in progress of a thread that is suspended.
package struct DwarfFrame {
    /// The code that it is at, as its file has it.
    package let code: UInt64
    /// What two of the registers are in it, and where its part of the stack ends.
    private let stack: UInt64
    private let base: UInt64
    private let end: UInt64
    /// What is on the stack.
    private let word: (UInt64) -> UInt64

    package init(code: UInt64, stack: UInt64, base: UInt64, end: UInt64, word: @escaping (UInt64) -> UInt64) {
        self.code = code
        self.stack = stack
        self.base = base
        self.end = end
        self.word = word
    }

    /// The address of a variable. Nil: it is not in memory, or where it is is not known.
    ///
    /// Of one in pieces, some of which have a known value or are in a register, it is that of the memory that all would be in.
    ///
    /// - Parameter start: what addresses of the function's variables are relative to.
    func address(_ expression: ByteReader, from start: UInt64?) -> UInt64? {
        var reader = expression
        var address: UInt64?
        var distance: UInt64 = 0
        for _ in 0..<Limits.operations where reader.rest > 0 {
            switch reader.operation() {
            case .breg(let number):
                guard let distance = reader.signed(), let sum = register(number)?.adding(distance) else { return nil }
                address = sum
            case .fbreg:
                guard let distance = reader.signed(), let sum = start?.adding(distance) else { return nil }
                address = sum
            case .plusUconst:
                guard let known = address, let distance = reader.unsigned() else { return nil }
                address = known.saturatingAdd(distance)
            case .deref:
                guard let target = address.flatMap({ pointer(at: $0) }) else { return nil }
                address = target
            case .piece:
                guard let size = reader.unsigned() else { return nil }
                if let known = address { return known >= distance ? known - distance : nil }
                distance = distance.saturatingAdd(size)
            case .lit, .reg, .stackValue: address = nil
            case .addr, .callFrameCfa, .addrx, nil: return nil
            }
        }
        return reader.rest > 0 ? nil : address
    }

    /// What addresses of the function's variables are relative to, as it says.
    func start(_ expression: ByteReader) -> UInt64? {
        var reader = expression
        return switch reader.operation() {
        case .callFrameCfa: end
        case .reg(let number): register(number)
        case .addr, .deref, .plusUconst, .lit, .breg, .fbreg, .piece, .stackValue, .addrx:
            address(expression, from: nil)
        case nil: nil
        }
    }

    /// What is in this part of the stack; nothing else is read, because an address may be wrong.
    func pointer(at address: UInt64) -> UInt64? {
        address >= stack && address < end && end - address >= 8 ? word(address) : nil
    }

    /// Two registers of x86-64 by the numbers of its ABI: `rbp` and `rsp`.
    private enum Register {
        static let base: UInt64 = 6
        static let stack: UInt64 = 7
    }

    private func register(_ number: UInt64) -> UInt64? {
        number == Register.base ? base : number == Register.stack ? stack : nil
    }
}
