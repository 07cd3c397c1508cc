import LabProgram
import LabSyntax
import Machine

/// The condition of an `await` that needs only one read, of an atomic or a semaphore, and compares it with a value that
/// cannot change while the thread waits, such as `flag.load() == 1`. The machine then knows before a step whether the
/// `await` ends by it. A `shared` variable does not qualify: each of its reads may race, whatever value it finds.
struct SingleRead {
    let kind: Operation.Kind
    let orders: Operation.Orders
    let place: Program.Place
    /// The comparison of the value that is read with `other`.
    let sign: Operator
    let other: Program.Expression
    let site: Site

    /// Nil: the condition has another form.
    init?(_ condition: Program.Expression) {
        switch condition.kind {
        case .binary(let sign, let left, let right) where sign.isComparison:
            if right.isFixed {
                self.init(left, sign, right)
            } else if left.isFixed {
                self.init(right, sign.mirrored, left)
            } else {
                return nil
            }
        case .not(let operand):
            self.init(operand, .equal, .init(kind: .constant(0), type: .boolean, site: operand.site))
        case .constant, .parameter, .slot, .index, .negate, .invert, .absolute, .binary, .and, .or, .read, .equals,
            .perform, .call, .choose:
            self.init(condition, .notEqual, .init(kind: .constant(0), type: .boolean, site: condition.site))
        }
    }

    private init?(_ read: Program.Expression, _ sign: Operator, _ other: Program.Expression) {
        guard case .perform(let action, let place, let values) = read.kind, values.isEmpty,
            let kind = action.kind, kind == .load || kind == .semaphoreValue, place.index?.isFixed ?? true
        else { return nil }
        self.kind = kind
        orders = action.orders
        self.place = place
        self.sign = sign
        self.other = other
        site = read.site
    }

    var comparison: Operation.Comparison {
        switch sign {
        case .equal: .equal
        case .notEqual: .notEqual
        case .less: .less
        case .lessOrEqual: .lessOrEqual
        case .greater: .greater
        case .greaterOrEqual: .greaterOrEqual
        case .add, .subtract, .multiply, .divide, .remainder, .bitAnd, .bitOr, .bitXor, .shiftLeft, .shiftRight, .least,
            .greatest:
            preconditionFailure("not a comparison")
        }
    }
}

extension Program.Expression {
    /// Whether its value needs no step, and cannot fail.
    fileprivate var isFixed: Bool {
        switch kind {
        case .constant, .parameter, .slot, .index: true
        case .negate, .invert, .not, .absolute, .binary, .and, .or, .read, .equals, .perform, .call, .choose: false
        }
    }
}

extension Operator {
    /// The comparison for swapped operands.
    fileprivate var mirrored: Operator {
        switch self {
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        case .equal, .notEqual: self
        case .add, .subtract, .multiply, .divide, .remainder, .bitAnd, .bitOr, .bitXor, .shiftLeft, .shiftRight, .least,
            .greatest:
            preconditionFailure("not a comparison")
        }
    }
}
