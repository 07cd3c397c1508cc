import LabSyntax
import Machine
import Recipes

/// A method or property of a kind of object. The tables in this file say which kind has which; for a built object, its
/// recipe does.
struct Member {
    enum ParameterType {
        case fixed(ValueType)
        /// The type of the atomic's value, or of the list's elements.
        case element
    }

    struct Parameter {
        var label: String?
        /// Whether the label must be written: it distinguishes the method from another one with the same name.
        var isLabelRequired = false
        var type: ParameterType
    }

    enum Result {
        case nothing
        case fixed(ValueType)
        /// The type of the atomic's value, or of the list's elements.
        case element
    }

    /// Whether the result may be ignored. If it must be tested, ignoring it brings a warning.
    enum Use { case free, mustBeTested }

    var name: String
    var action: Program.Action
    var parameters: [Parameter] = []
    var result = Result.nothing
    /// Whether it is a property, which is read without parentheses.
    var isProperty = false
    var use = Use.free
    /// The maximum number of memory orders after the arguments.
    var orderings = 0

    /// The member as it is called: `lock(for: 10ms)`.
    var usage: String {
        if isProperty { return name }
        let parts = parameters.map { parameter in
            if case .fixed(.duration) = parameter.type { return "for: 10ms" }
            return parameter.label ?? "value"
        }
        return "\(name)(\(parts.joined(separator: ", ")))"
    }
}

extension Member {
    init(
        name: MemberName, action: Program.Action, parameters: [Parameter] = [], result: Result = .nothing,
        isProperty: Bool = false, use: Use = .free, orderings: Int = 0
    ) {
        self.init(
            name: name.rawValue, action: action, parameters: parameters, result: result, isProperty: isProperty,
            use: use, orderings: orderings)
    }
}

extension Syntax.ObjectDeclaration.Kind {
    /// The methods and properties of an object of this kind, as they are called: `lock(for: 10ms)`.
    ///
    /// - Parameters:
    ///   - isList: whether the variable is a list.
    ///   - isTruth: whether it holds Booleans.
    package func memberUsages(isList: Bool, isTruth: Bool) -> [String] {
        let type = isTruth ? ValueType.boolean : .integer
        let kind: Program.Object.Kind =
            switch self {
            case .shared: isList ? .list(of: type) : .cell(type)
            case .atomic: .atomic(type)
            case .mutex(let kind): .mutex(kind)
            case .readWriteLock(let writersFirst): .readWriteLock(writersFirst: writersFirst)
            case .semaphore: .semaphore
            case .condition: .condition
            case .built(let recipe): .built(recipe)
            }
        return Members.of(kind).map(\.usage)
    }
}

/// The methods and properties of each kind of object.
enum Members {
    static func of(_ kind: Program.Object.Kind) -> [Member] {
        switch kind {
        case .mutex: mutex
        case .readWriteLock: readWriteLock
        case .semaphore: semaphore
        case .condition: condition
        case .built(let recipe): built(recipe)
        case .atomic(.integer): atomic + arithmetic
        case .atomic: atomic
        case .list: list
        case .cell: []
        }
    }

    private static func built(_ recipe: Recipe) -> [Member] {
        recipe.methods.enumerated().map { number, method in
            Member(
                name: method.name, action: .built(method: number),
                result: method.yieldsTruth ? .fixed(.boolean) : .nothing)
        }
    }

    private static let timeout = Member.Parameter(label: "for", isLabelRequired: true, type: .fixed(.duration))

    /// A method without arguments and without a result.
    private static func plain(_ name: MemberName, _ kind: Operation.Kind) -> Member {
        Member(name: name, action: .operation(kind))
    }

    /// A method that tries without waiting, and returns whether it succeeded.
    private static func attempt(_ name: MemberName, _ kind: Operation.Kind) -> Member {
        Member(name: name, action: .operation(kind), result: .fixed(.boolean), use: .mustBeTested)
    }

    /// A method that waits for at most a given time, and returns whether it succeeded.
    private static func timed(_ name: MemberName, _ kind: Operation.Kind) -> Member {
        Member(
            name: name, action: .operation(kind, isTimed: true), parameters: [timeout], result: .fixed(.boolean),
            use: .mustBeTested)
    }

    private static let mutex = [
        plain(.lock, .lock), attempt(.tryLock, .tryLock), timed(.lock, .lockUntil), plain(.unlock, .unlock),
    ]

    private static let readWriteLock = [
        plain(.readLock, .readLock), attempt(.tryReadLock, .tryReadLock), timed(.readLock, .readLockUntil),
        plain(.writeLock, .writeLock), attempt(.tryWriteLock, .tryWriteLock), timed(.writeLock, .writeLockUntil),
        plain(.downgrade, .downgrade), plain(.unlock, .unlockShared),
    ]

    private static let semaphore = [
        plain(.wait, .semaphoreWait), attempt(.tryWait, .semaphoreTryWait), timed(.wait, .semaphoreWaitUntil),
        plain(.signal, .semaphoreSignal),
        Member(name: .value, action: .operation(.semaphoreValue), result: .fixed(.integer), isProperty: true),
    ]

    private static let condition = [
        plain(.wait, .wait),
        Member(name: .wait, action: .operation(.wait, isTimed: true), parameters: [timeout], result: .fixed(.boolean)),
        plain(.signal, .signal), plain(.broadcast, .broadcast),
    ]

    private static let atomic = [
        Member(name: .load, action: .operation(.load), result: .element, orderings: 1),
        Member(name: .store, action: .operation(.store), parameters: [.init(type: .element)], orderings: 1),
        Member(
            name: .exchange, action: .operation(.exchange), parameters: [.init(type: .element)], result: .element,
            orderings: 1),
        Member(
            name: .compareExchange, action: .operation(.compareExchange),
            parameters: [.init(label: "expected", type: .element), .init(label: "desired", type: .element)],
            result: .fixed(.boolean), use: .mustBeTested, orderings: 2),
        Member(
            name: .weakCompareExchange, action: .operation(.weakCompareExchange),
            parameters: [.init(label: "expected", type: .element), .init(label: "desired", type: .element)],
            result: .fixed(.boolean), use: .mustBeTested, orderings: 2),
    ]

    private static let arithmetic =
        [(MemberName.add, Operation.Kind.add), (.bitAnd, .bitAnd), (.bitOr, .bitOr), (.bitXor, .bitXor)].map {
            name, kind in
            Member(
                name: name, action: .operation(kind), parameters: [.init(type: .element)], result: .element,
                orderings: 1)
        }

    private static let list = [
        Member(name: .append, action: .append, parameters: [.init(type: .element)]),
        Member(name: .removeFirst, action: .removeFirst, result: .element),
        Member(name: .removeLast, action: .removeLast, result: .element),
        Member(name: .removeAll, action: .removeAll),
        Member(name: .count, action: .count, result: .fixed(.integer), isProperty: true),
        Member(name: .isEmpty, action: .count, result: .fixed(.boolean), isProperty: true),
    ]
}
