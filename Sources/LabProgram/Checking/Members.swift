import LabSyntax
import Recipes

/// The members of each kind of object: the only list of methods and properties.
struct Member {
    enum ParameterType {
        case fixed(ValueType)
        /// What the cells hold.
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
        case element
    }

    /// Results that may be ignored.
    enum Use { case free, mustBeLookedAt }

    var name: String
    var action: Program.Action
    var parameters: [Parameter] = []
    var result = Result.nothing
    /// Properties, read without parentheses.
    var isProperty = false
    var use = Use.free
    /// The maximum number of memory orderings after the arguments.
    var orderings = 0

    /// `lock(for: 10ms)`
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

    private static func plain(_ name: MemberName, _ action: Program.Action) -> Member {
        Member(name: name, action: action)
    }

    private static func attempt(_ name: MemberName, _ action: Program.Action) -> Member {
        Member(name: name, action: action, result: .fixed(.boolean), use: .mustBeLookedAt)
    }

    private static func timed(_ name: MemberName, _ action: Program.Action) -> Member {
        Member(name: name, action: action, parameters: [timeout], result: .fixed(.boolean), use: .mustBeLookedAt)
    }

    private static let mutex = [
        plain(.lock, .lock), attempt(.tryLock, .tryLock), timed(.lock, .lockFor), plain(.unlock, .unlock),
    ]

    private static let readWriteLock = [
        plain(.readLock, .readLock), attempt(.tryReadLock, .tryReadLock), timed(.readLock, .readLockFor),
        plain(.writeLock, .writeLock), attempt(.tryWriteLock, .tryWriteLock), timed(.writeLock, .writeLockFor),
        plain(.unlock, .unlockShared),
    ]

    private static let semaphore = [
        plain(.wait, .semaphoreWait), attempt(.tryWait, .semaphoreTryWait), timed(.wait, .semaphoreWaitFor),
        plain(.signal, .semaphoreSignal),
        Member(name: .value, action: .semaphoreValue, result: .fixed(.integer), isProperty: true),
    ]

    private static let condition = [
        plain(.wait, .wait),
        Member(name: .wait, action: .waitFor, parameters: [timeout], result: .fixed(.boolean)),
        plain(.signal, .signal), plain(.broadcast, .broadcast),
    ]

    private static let atomic = [
        Member(name: .load, action: .load, result: .element, orderings: 1),
        Member(name: .store, action: .store, parameters: [.init(type: .element)], orderings: 1),
        Member(
            name: .exchange, action: .exchange, parameters: [.init(type: .element)], result: .element, orderings: 1),
        Member(
            name: .compareExchange, action: .compareExchange,
            parameters: [.init(label: "expected", type: .element), .init(label: "desired", type: .element)],
            result: .fixed(.boolean), use: .mustBeLookedAt, orderings: 2),
    ]

    private static let arithmetic =
        [(MemberName.add, Program.Action.add), (.bitAnd, .bitAnd), (.bitOr, .bitOr), (.bitXor, .bitXor)].map {
            name, action in
            Member(
                name: name, action: action, parameters: [.init(type: .element)], result: .element, orderings: 1)
        }

    private static let list = [
        Member(name: .append, action: .append, parameters: [.init(type: .element)]),
        Member(name: .removeFirst, action: .removeFirst, result: .element),
        Member(name: .removeLast, action: .removeLast, result: .element),
        plain(.removeAll, .removeAll),
        Member(name: .count, action: .count, result: .fixed(.integer), isProperty: true),
        Member(name: .isEmpty, action: .count, result: .fixed(.boolean), isProperty: true),
    ]
}
