import Machine

/// Which slots of a frame are still read, by instruction. The others are dead: states that differ only in them are the
/// same.
struct Liveness: ~Copyable {
    /// By instruction: a bit for each slot that is read before it is set.
    private let live: OwnedBuffer<UInt64>
    private static let mostSlots = 64

    init(_ bytecode: Bytecode) {
        var live = [UInt64](repeating: 0, count: bytecode.codeCount + 1)
        var changes = true
        while changes {
            changes = false
            for place in (0..<bytecode.codeCount).reversed() {
                let instruction = bytecode.code[place]
                var after: UInt64 = 0
                for next in bytecode.successors(of: place) {
                    // A function's slots are others.
                    if instruction.opcode != .call || next == place + 1 { after |= live[next] }
                }
                let before = Self.before(instruction, after)
                if before != live[place] {
                    live[place] = before
                    changes = true
                }
            }
        }
        self.live = OwnedBuffer(live)
    }

    private static func before(_ instruction: Instruction, _ after: UInt64) -> UInt64 {
        let slot = Int(instruction.opcode == .countDown ? instruction.b : instruction.a)
        switch instruction.opcode {
        // The last two set the slot to what they have read.
        case .get, .increment, .countDown: return slot < mostSlots ? after | 1 << UInt64(slot) : after
        case .set: return slot < mostSlots ? after & ~(1 << UInt64(slot)) : after
        case .clear:
            var result = after
            for cleared in slot..<slot + Int(instruction.b) where cleared < mostSlots {
                result &= ~(1 << UInt64(cleared))
            }
            return result
        default: return after
        }
    }

    /// Clears the dead slots of a frame whose next instruction this is.
    @inline(__always)
    func clear(_ frame: UnsafeMutablePointer<Int>, slots: Int, next instruction: Int) {
        var dead = ~live[instruction]
        if slots < Self.mostSlots { dead &= (1 << UInt64(slots)) - 1 }
        while dead != 0 {
            frame[dead.trailingZeroBitCount] = 0
            dead &= dead - 1
        }
    }
}
