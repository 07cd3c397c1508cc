import LabSyntax
import Text

/// Type errors: a value, or something without a value, where something else is expected.
enum TypeProblem: Problem {
    case mismatch(wanted: ValueType, found: ValueType)
    case differentOperands(String, ValueType, ValueType)
    case wrongOperand(String, ValueType)
    case noValue(String)
    case noVariable(String, ValueType)
    case objectAsValue(String, kind: String, hint: String?)
    case arrayWithoutSubscript(String)
    case subscriptOfSingle(String, kind: String)
    case localList
    case arrayOfLists
    case listLiteral
    case listAsValue(String)
    case mixedList
    case constantAssigned(String, hint: String?)
    case notAssignable
    case atomicAssigned(String, hint: String)
    case wrongCount(String, usage: [String])
    case wrongLabel(String, expected: String?)
    case misplacedLabel(String, order: [String])
    case missingParentheses(usage: String)
    case parenthesesAtProperty(String)
    case unusedValue(hint: String?)
    case methodOfValue
    case threadMethod(String, instead: String)

    package var message: String {
        switch self {
        case .mismatch(let wanted, let found): "expected \(wanted.noun), found \(found.noun)"
        case .differentOperands(let sign, let left, let right):
            "'\(sign)' cannot be applied to \(left.noun) and \(right.noun)"
        case .wrongOperand(let sign, let found): "'\(sign)' cannot be applied to \(found.noun)"
        case .noValue(let name): "\(quoted(name)) has no value"
        case .noVariable(let what, let type): "\(what) cannot hold \(type.noun)"
        case .objectAsValue(let name, let kind, _): "\(quoted(name)) is \(kind) and has no value"
        case .arrayWithoutSubscript(let name): "\(quoted(name)) is an array; one of its elements is needed here"
        case .subscriptOfSingle(let name, let kind): "\(quoted(name)) is \(kind), not an array"
        case .localList: "lists are shared and must be declared outside of threads and functions"
        case .arrayOfLists: "there are no arrays of lists"
        case .listLiteral: "a list is allowed only as an initial value and next to '==' and '!='"
        case .listAsValue(let name): "\(quoted(name)) is a list; one of its elements is needed here"
        case .mixedList: "all values of a list must have the same type"
        case .constantAssigned(let name, _): "\(quoted(name)) cannot be changed"
        case .notAssignable: "this cannot be assigned to"
        case .atomicAssigned(let name, _): "\(quoted(name)) is atomic and can be changed only through its methods"
        case .wrongCount(let name, _): "wrong number of arguments for \(quoted(name))"
        case .wrongLabel(let label, _): "there is no argument \(quoted(label))"
        case .misplacedLabel(let label, _): "the argument \(quoted(label)) is in the wrong place"
        case .missingParentheses: "parentheses are missing"
        case .parenthesesAtProperty(let name): "\(quoted(name)) takes no parentheses"
        case .unusedValue: "this value is not used"
        case .methodOfValue: "only objects declared outside of threads have members"
        case .threadMethod(let method, _): "a thread has no \(quoted(method))"
        }
    }

    package var help: String? {
        switch self {
        case .mismatch(.boolean, .integer): "compare it, for example with '!= 0'"
        case .mismatch(.duration, .integer): "give it a unit, for example 10ms"
        case .wrongOperand("&", .boolean), .wrongOperand("|", .boolean): "write '&&' or '||'"
        case .arrayWithoutSubscript(let name): "write '\(name.printable)[0]'"
        case .constantAssigned(_, let hint), .unusedValue(let hint), .objectAsValue(_, _, let hint): hint
        case .atomicAssigned(_, let hint): hint
        case .wrongCount(_, let usage):
            "write '\(usage.map(\.printable).joined(separator: "' or '"))'"
        case .wrongLabel(_, let expected): expected.map { "write '\($0.printable):'" } ?? "leave the label out"
        case .misplacedLabel(_, let order): "the order is \(order.map { "'\($0.printable)'" }.joined(separator: ", "))"
        case .missingParentheses(let usage): "write '\(usage)'"
        case .listAsValue(let name): "write '\(name.printable)[0]' or '\(name.printable).count'"
        case .threadMethod(_, let instead): "write '\(instead.printable)'"
        default: nil
        }
    }
}
