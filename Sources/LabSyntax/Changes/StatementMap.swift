/// A program's statements and their surroundings, for changes of its text.
///
/// Names are not resolved: no variable has the name of a shared object, so an object's name identifies it.
struct StatementMap {
    /// A statement, its block, and the locks that the thread holds there, as far as its body shows.
    struct Place {
        let statement: Syntax.Statement
        let block: Syntax.Block
        let index: Int
        /// The held locks as written: `fork[index]`.
        let held: [String]
        /// The held locks that no end of a block unlocks.
        let manual: [String]
        /// The numbers of the statements around it, the outermost first.
        let around: [Int]
        /// The number of its body.
        let body: Int
    }

    struct Object {
        let declaration: Syntax.ObjectDeclaration
        let declarator: Syntax.Declarator

        var isLock: Bool {
            switch declaration.kind {
            case .mutex: true
            case .shared, .atomic, .readWriteLock, .semaphore, .condition, .built: false
            }
        }

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
    private(set) var places: [Place] = []
    private(set) var bodies: [Syntax.Block] = []
    private(set) var finally: Syntax.Block?
    /// By name, the positions of its tokens.
    private(set) var uses: [String: [Int]] = [:]

    /// The limits of a program in which changes are looked for.
    private static let mostStatements = 500
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

    /// The positions of the names, including those in texts.
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
                    held.removeLast(call.receiver)
                    manual.removeLast(call.receiver)
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

    /// The parts of a block that locks, such as `lock m { … }`.
    func locked(_ statement: Syntax.Statement) -> (
        mode: LockMode, place: Syntax.Expression, lock: String, block: Syntax.Block
    )? {
        guard case .locked(let mode, let place, let block) = statement.kind else { return nil }
        return (mode, place, text(place.span), block)
    }

    struct Call {
        /// The object as written: `fork[index]`.
        let receiver: String
        let object: String
        /// Nil: a method that a built object defines.
        let method: MemberName?
        let receiverSpan: Span
        let name: Syntax.Name
        let arguments: [Syntax.Argument]
        let span: Span
    }

    /// The call, if the statement only calls a method of an object.
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
            if let call = call(part), isMemory(call.object), !(call.method.map(Self.looks.contains) ?? false) {
                accesses.append(Access(object: call.object, isChange: true))
            }
        }
    }

    private static let looks: Set<MemberName> = [.load, .count, .isEmpty]

    private func isMemory(_ name: String) -> Bool { objects[name]?.isMemory ?? false }

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

    /// Whether the statements after it in its block are unreachable.
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
    /// The object that the expression names, or whose element or member it is.
    var object: String? {
        switch kind {
        case .name(let name): name
        case .subscripted(let array, _): array.object
        default: nil
        }
    }

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
    fileprivate mutating func removeLast(_ element: String) {
        if let place = lastIndex(of: element) { remove(at: place) }
    }
}
