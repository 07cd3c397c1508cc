/// A list of all statements of a program's threads and functions, each with the blocks around it and the locks held
/// there, for the search for changes of the text.
///
/// It needs no name resolution: no local variable has the name of a shared object, so an object's name identifies it.
struct StatementMap {
    /// A statement, and where it is.
    struct Place {
        let statement: Syntax.Statement
        let block: Syntax.Block
        /// The statement's index in its block.
        let index: Int
        /// The locks that are held before the statement, as written: `fork[index]`. Only the statement's own body is
        /// examined: functions that it calls, and those that call it, are ignored.
        let held: [String]
        /// The held locks that were acquired by a call such as `m.lock()`, so that no end of a block unlocks them.
        let manual: [String]
        /// The statements whose blocks contain it, as indices in `places`, the outermost first.
        let around: [Int]
        /// The index of its thread's or function's body in `bodies`.
        let body: Int
    }

    struct Object {
        let declaration: Syntax.ObjectDeclaration
        let declarator: Syntax.Declarator

        var isMutex: Bool { if case .mutex = declaration.kind { true } else { false } }
        var isCondition: Bool { if case .condition = declaration.kind { true } else { false } }
        var isSemaphore: Bool { if case .semaphore = declaration.kind { true } else { false } }
        var isShared: Bool { if case .shared = declaration.kind { true } else { false } }
        var isAtomic: Bool { if case .atomic = declaration.kind { true } else { false } }
        var isMemory: Bool { isShared || isAtomic }
        var isReadWriteLock: Bool { if case .readWriteLock = declaration.kind { true } else { false } }
    }

    let source: SourceText
    let tokens: [Token]
    let file: Syntax.File
    private(set) var objects: [String: Object] = [:]
    /// The names of the objects in the order of declaration.
    private(set) var names: [String] = []
    /// The statements of threads and functions in the order of the text. Those of `finally` are not among them.
    private(set) var places: [Place] = []
    /// The bodies of threads and functions.
    private(set) var bodies: [Syntax.Block] = []
    private(set) var finally: Syntax.Block?
    /// For each name, the offsets of the tokens that contain it.
    private(set) var uses: [String: [Int]] = [:]

    /// The maximum number of statements of a program in which changes are looked for.
    private static let mostStatements = 500
    /// The maximum size of its text in bytes: 32 KiB.
    private static let mostBytes = 1 << 15

    /// Nil: the text has errors, or is too large.
    init?(_ source: SourceText) {
        guard source.bytes.count <= Self.mostBytes else { return nil }
        let (file, parser) = source.parsed()
        guard let file, parser.diagnostics.errors.isEmpty else { return nil }
        self.source = source
        self.file = file
        tokens = parser.tokens
        for item in file.items {
            switch item {
            case .objects(let declaration):
                for declarator in declaration.declarators {
                    objects[declarator.name.text] = Object(declaration: declaration, declarator: declarator)
                    names.append(declarator.name.text)
                }
            case .function(let function): add(body: function.body)
            case .thread(let thread): add(body: thread.body)
            case .finally(let block, _): finally = block
            case .parameter, .run, .expect, .task, .specification: break
            }
        }
        guard places.count <= Self.mostStatements else { return nil }
        uses = Self.uses(tokens, source)
    }

    /// For each name, the offsets of the tokens that contain it: names, and string literals with `\( )`.
    private static func uses(_ tokens: [Token], _ source: SourceText) -> [String: [Int]] {
        var uses: [String: [Int]] = [:]
        for token in tokens where token.kind == .name || token.kind == .text {
            for word in source.text(token.span).split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "_") }) {
                uses[String(word), default: []].append(token.span.start)
            }
        }
        return uses
    }

    private mutating func add(body: Syntax.Block) {
        bodies.append(body)
        add(body, held: [], manual: [], around: [])
    }

    private mutating func add(_ block: Syntax.Block, held: [String], manual: [String], around: [Int]) {
        var held = held
        var manual = manual
        for (index, statement) in block.statements.enumerated() {
            guard places.count <= Self.mostStatements else { return }
            let number = places.count
            places.append(
                Place(
                    statement: statement, block: block, index: index, held: held, manual: manual, around: around,
                    body: bodies.count - 1))
            if let call = call(statement) {
                switch call.method {
                case .lock, .readLock, .writeLock:
                    held.append(call.receiver)
                    manual.append(call.receiver)
                case .unlock:
                    held.removeLastOccurrence(of: call.receiver)
                    manual.removeLastOccurrence(of: call.receiver)
                default: break
                }
            }
            let inside = locked(statement).map { held + [$0.lock] } ?? held
            for child in statement.blocks {
                add(child, held: inside, manual: manual, around: around + [number])
            }
        }
    }

    func text(_ span: Span) -> String { source.text(span) }
    func line(_ span: Span) -> Int { source.line(of: span.start) }

    /// The parts of a statement such as `lock m { … }`. Nil: the statement is something else.
    func locked(_ statement: Syntax.Statement) -> (
        mode: LockMode, place: Syntax.Expression, lock: String, block: Syntax.Block
    )? {
        guard case .locked(let mode, let place, let block) = statement.kind else { return nil }
        return (mode, place, text(place.span), block)
    }

    /// A call of a method of an object.
    struct Call {
        /// The object as written: `fork[index]`.
        let receiver: String
        /// The object's name: `fork`.
        let object: String
        /// Nil: a method that only built objects have, such as `countDown`.
        let method: MemberName?
        let receiverSpan: Span
        let name: Syntax.Name
        let arguments: [Syntax.Argument]
        let span: Span
    }

    /// The call, if the statement is nothing but a call of a method of an object.
    func call(_ statement: Syntax.Statement) -> Call? {
        guard case .expression(let expression) = statement.kind else { return nil }
        return call(expression)
    }

    func call(_ expression: Syntax.Expression) -> Call? {
        guard case .member(let receiver, let name, let arguments?) = expression.kind,
            let object = receiver.object
        else { return nil }
        return Call(
            receiver: text(receiver.span), object: object, method: MemberName(rawValue: name.text),
            receiverSpan: receiver.span, name: name, arguments: arguments, span: expression.span)
    }

    /// The accesses of shared memory in a statement, including its blocks.
    func accesses(_ statement: Syntax.Statement) -> [Access] {
        ownAccesses(statement) + statement.blocks.flatMap { $0.statements.flatMap(accesses) }
    }

    /// The accesses of shared memory in a statement, without its blocks.
    func ownAccesses(_ statement: Syntax.Statement) -> [Access] {
        var accesses: [Access] = []
        for expression in statement.expressions { collect(expression, into: &accesses) }
        if case .assign(let target, _, _) = statement.kind, let object = target.object, isMemory(object) {
            accesses.append(Access(object: object, isChange: true))
        }
        return accesses
    }

    func accesses(in expression: Syntax.Expression) -> [Access] {
        var accesses: [Access] = []
        collect(expression, into: &accesses)
        return accesses
    }

    private func collect(_ expression: Syntax.Expression, into accesses: inout [Access]) {
        expression.visit { part in
            if case .name(let name) = part.kind, isMemory(name) {
                accesses.append(Access(object: name, isChange: false))
            }
            if let call = call(part), isMemory(call.object), !(call.method.map(Self.reads.contains) ?? false) {
                accesses.append(Access(object: call.object, isChange: true))
            }
        }
    }

    /// The methods of atomics and lists that do not change them.
    private static let reads: Set<MemberName> = [.load, .count, .isEmpty]

    private func isMemory(_ name: String) -> Bool { objects[name]?.isMemory ?? false }

    /// An access of a shared variable or an atomic.
    struct Access: Hashable {
        let object: String
        let isChange: Bool
    }
}

extension Syntax.Statement {
    /// The statement's direct blocks.
    var blocks: [Syntax.Block] {
        switch kind {
        case .if(let branches, let otherwise): branches.map(\.block) + [otherwise].compactMap(\.self)
        case .while(_, let block), .for(_, _, let block), .repeat(_, let block), .locked(_, _, let block),
            .enclosed(_, _, let block):
            [block]
        case .variable, .assign, .expression, .break, .continue, .return, .await, .assert, .note, .sleep, .yield,
            .progress, .spawn, .join, .detach:
            []
        }
    }

    /// The statement's expressions that are not in its blocks.
    var expressions: [Syntax.Expression] {
        switch kind {
        case .variable(let variable): [variable.value]
        case .assign(let target, _, let value): [target, value]
        case .expression(let value), .await(let value), .sleep(let value), .while(let value, _), .repeat(let value, _):
            [value]
        case .if(let branches, _): branches.map(\.condition)
        case .for(_, let bounds, _): [bounds.lower, bounds.upper]
        case .return(let value): [value].compactMap(\.self)
        case .assert(let condition, let text): [condition] + (text?.values ?? [])
        case .note(let text): text.values
        case .locked(_, let place, _), .enclosed(_, let place, _), .spawn(let place), .join(let place),
            .detach(let place):
            [place]
        case .break, .continue, .yield, .progress: []
        }
    }

    /// Whether it leaves its block: `break`, `continue` or `return`.
    var leaves: Bool {
        switch kind {
        case .break, .continue, .return: true
        default: false
        }
    }
}

extension Syntax.Interpolation {
    fileprivate var values: [Syntax.Expression] {
        parts.compactMap { if case .value(let expression) = $0 { expression } else { nil } }
    }
}

extension Syntax.Expression {
    /// The object that the expression names, or whose element it is. Nil: the expression is something else.
    var object: String? {
        switch kind {
        case .name(let name): name
        case .subscripted(let array, _): array.object
        default: nil
        }
    }

    /// Calls the body with the expression and then with each of its parts.
    func visit(_ body: (Syntax.Expression) -> Void) {
        body(self)
        switch kind {
        case .integer, .boolean, .duration, .name, .index: break
        case .list(let values): for value in values { value.visit(body) }
        case .prefix(_, let value): value.visit(body)
        case .binary(_, let left, let right), .subscripted(let left, let right):
            left.visit(body)
            right.visit(body)
        case .member(let receiver, _, let arguments):
            receiver.visit(body)
            for argument in arguments ?? [] { argument.value.visit(body) }
        case .call(_, let arguments), .choose(let arguments):
            for argument in arguments { argument.value.visit(body) }
        }
    }
}

extension [String] {
    fileprivate mutating func removeLastOccurrence(of element: String) {
        if let place = lastIndex(of: element) { remove(at: place) }
    }
}
