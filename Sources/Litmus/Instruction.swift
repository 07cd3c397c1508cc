import CLitmus
import LabSyntax

/// A register of a thread. Constants have the first registers and variables the next, so a variable's number in the
/// code is known only when all constants are known.
enum Register: Equatable {
    /// The register of the constant at this place in the list of constants.
    case constant(Int)
    /// The register of the variable with this number.
    case variable(Int)

    static let zero = Register.constant(0)
}

/// Where a value or a mutex is in an instance of the memory, in bytes from its start.
struct Cell: Equatable {
    /// The constant part.
    var offset: Int
    /// A register whose value is added.
    var index = Register.zero
}

/// An instruction for the runner, with registers that have no numbers yet. The fields have the meaning of the fields of
/// `clitmus_instruction`.
struct Instruction: Equatable {
    var opcode: clitmus_opcode
    var result = Register.zero
    var a = Register.zero
    var b = Register.zero
    /// For `CLITMUS_ELEMENT`: the distance of two elements in bytes. The runner has it in field `b`, as a number
    /// instead of a register.
    var stride: Int?
    var index = Register.zero
    /// An offset in memory, a position in the code, an ending, or a number of elements: see `clitmus.h`.
    var place = 0
    var order = CLITMUS_RELAXED
    var failureOrder = CLITMUS_RELAXED
}

/// The code of a thread.
struct Code: Equatable {
    var instructions: [Instruction] = []
    var constants: [Int] = [0]
    /// The number of variables.
    var variables = 0

    /// The greatest length of the code. There is a limit, because a function is copied to each place that calls it: a
    /// short text can give long code.
    static let mostInstructions = 20_000

    /// The number of registers.
    var registers: Int { constants.count + variables }

    /// Whether the code is within the limits.
    var fits: Bool {
        instructions.count <= Self.mostInstructions && registers <= CLITMUS_MOST_REGISTERS
    }

    /// The number of a register, when all constants are known.
    func number(_ register: Register) -> UInt16 {
        switch register {
        case .constant(let number): UInt16(number)
        case .variable(let number): UInt16(constants.count + number)
        }
    }

    /// The instructions in the runner's format.
    var encoded: [clitmus_instruction] {
        instructions.map { from in
            clitmus_instruction(
                opcode: UInt16(from.opcode.rawValue), order: UInt16(from.order.rawValue),
                failureOrder: UInt16(from.failureOrder.rawValue), r: number(from.result), a: number(from.a),
                b: from.stride.map { UInt16($0) } ?? number(from.b), i: number(from.index), place: Int32(from.place))
        }
    }
}

extension Operator {
    /// The opcode, and whether the instruction takes the operands in the opposite order.
    var instruction: (opcode: clitmus_opcode, isSwapped: Bool) {
        switch self {
        case .add: (CLITMUS_ADD, false)
        case .subtract: (CLITMUS_SUBTRACT, false)
        case .multiply: (CLITMUS_MULTIPLY, false)
        case .divide: (CLITMUS_DIVIDE, false)
        case .remainder: (CLITMUS_REMAINDER, false)
        case .bitAnd: (CLITMUS_BIT_AND, false)
        case .bitOr: (CLITMUS_BIT_OR, false)
        case .bitXor: (CLITMUS_BIT_XOR, false)
        case .shiftLeft: (CLITMUS_SHIFT_LEFT, false)
        case .shiftRight: (CLITMUS_SHIFT_RIGHT, false)
        case .equal: (CLITMUS_EQUAL, false)
        case .notEqual: (CLITMUS_NOT_EQUAL, false)
        case .less: (CLITMUS_LESS, false)
        case .lessOrEqual: (CLITMUS_LESS_OR_EQUAL, false)
        case .greater: (CLITMUS_LESS, true)
        case .greaterOrEqual: (CLITMUS_LESS_OR_EQUAL, true)
        case .least: (CLITMUS_LEAST, false)
        case .greatest: (CLITMUS_GREATEST, false)
        }
    }
}
