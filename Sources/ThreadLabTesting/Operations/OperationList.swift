import Execution

/// The operations of an object under test, each with its intended behavior: the argument of `exploreOperations`.
///
/// In the model an operation takes effect at once, and nothing runs at the same time. A thrown error is a result, too,
/// and the model must throw the same one. Results are compared, and printed in reports.
public struct OperationList<Object, Model: Hashable> {
    /// An operation with its argument, if it has one: a call that threads can make.
    struct Call {
        /// The call as written: `push(1)`.
        let text: String
        /// The site where the test lists it.
        let file: StaticString
        let line: UInt
        /// Makes the call on the object under test.
        let object: (Object) throws -> OperationAnswer
        /// Makes the call on the model.
        let model: (inout Model) throws -> OperationAnswer
    }

    private(set) var calls: [Call] = []

    /// An operation without arguments.
    ///
    /// - Parameters:
    ///   - name: the name in reports.
    ///   - body: calls the object, on any of several threads.
    ///   - model: the intended behavior. `throw MustWait()` says that the call must wait.
    public mutating func operation<Result: Hashable>(
        _ name: String, file: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping (Object) throws -> Result, model: @escaping (inout Model) throws -> Result
    ) {
        add("\(name)()", file, line, { .value(AnyHashable(try body($0))) }, { .value(AnyHashable(try model(&$0))) })
    }

    /// An operation with an argument, which makes one call for each of the arguments. For an operation with several
    /// parameters, the arguments are tuples.
    public mutating func operation<Argument, Result: Hashable>(
        _ name: String, _ arguments: some Sequence<Argument>, file: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping (Object, Argument) throws -> Result,
        model: @escaping (inout Model, Argument) throws -> Result
    ) {
        for argument in arguments {
            add(
                Self.text(name, argument), file, line, { .value(AnyHashable(try body($0, argument))) },
                { .value(AnyHashable(try model(&$0, argument))) })
        }
    }

    /// An operation without arguments that returns nothing.
    @_disfavoredOverload
    public mutating func operation(
        _ name: String, file: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping (Object) throws -> Void, model: @escaping (inout Model) throws -> Void
    ) {
        add(
            "\(name)()", file, line,
            {
                try body($0)
                return .nothing
            },
            {
                try model(&$0)
                return .nothing
            })
    }

    /// An operation with an argument that returns nothing.
    @_disfavoredOverload
    public mutating func operation<Argument>(
        _ name: String, _ arguments: some Sequence<Argument>, file: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping (Object, Argument) throws -> Void, model: @escaping (inout Model, Argument) throws -> Void
    ) {
        for argument in arguments {
            add(
                Self.text(name, argument), file, line,
                {
                    try body($0, argument)
                    return .nothing
                },
                {
                    try model(&$0, argument)
                    return .nothing
                })
        }
    }

    private mutating func add(
        _ text: String, _ file: StaticString, _ line: UInt, _ object: @escaping (Object) throws -> OperationAnswer,
        _ model: @escaping (inout Model) throws -> OperationAnswer
    ) {
        calls.append(Call(text: text, file: file, line: line, object: object, model: model))
    }

    /// A tuple's text already has parentheses.
    private static func text<Argument>(_ name: String, _ argument: Argument) -> String {
        let text = OperationAnswer.text(of: argument)
        return Mirror(reflecting: argument).displayStyle == .tuple ? name + text : "\(name)(\(text))"
    }
}

/// Thrown by the model of an operation that cannot take effect in the current state: the call must wait until another
/// one has changed the state. If no thread can continue any more, all unfinished calls must be such calls.
public struct MustWait: Error {
    public init() {}
}

/// The result of an operation, or the error that it has thrown.
enum OperationAnswer: Equatable {
    case nothing
    case value(AnyHashable)
    /// The description of an error.
    case thrown(String)

    /// Empty if the operation returns nothing.
    var text: String {
        switch self {
        case .nothing: ""
        case .value(let value): Self.text(of: value.base)
        case .thrown(let error): "throws \(error)"
        }
    }

    /// The value as written in Swift, if its type is simple.
    static func text(of value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional { return mirror.children.first.map { text(of: $0.value) } ?? "nil" }
        return value is String ? String(reflecting: value) : String(describing: value)
    }
}
