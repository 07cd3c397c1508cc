/// Declarations of objects that threads share.
extension Parser {
    mutating func objects() throws(Refused) -> Syntax.ObjectDeclaration {
        let kind = try objectKind()
        var declarators: [Syntax.Declarator] = []
        repeat { declarators.append(try declarator(kind)) } while accept(.comma)
        if case .condition = kind { try shareMutex(&declarators) }
        return Syntax.ObjectDeclaration(kind: kind, declarators: declarators)
    }

    private mutating func objectKind() throws(Refused) -> Syntax.ObjectDeclaration.Kind {
        if acceptWord(.recursive) {
            guard accept(.mutex) else { throw refuse(expected: "'mutex'") }
            return .mutex(.recursive)
        }
        if acceptWord(.checking) {
            guard accept(.mutex) else { throw refuse(expected: "'mutex'") }
            return .mutex(.checking)
        }
        if acceptWord(.writersFirst) {
            guard accept(.rwlock) else { throw refuse(expected: "'rwlock'") }
            return .readWriteLock(writersFirst: true)
        }
        advance()
        switch previous.kind {
        case .keyword(.shared): return .shared
        case .keyword(.atomic): return .atomic
        case .keyword(.mutex): return .mutex(.normal)
        case .keyword(.rwlock): return .readWriteLock(writersFirst: false)
        case .keyword(.semaphore): return .semaphore
        case .recipe(let recipe): return .built(recipe)
        default: return .condition
        }
    }

    private mutating func declarator(_ kind: Syntax.ObjectDeclaration.Kind) throws(Refused) -> Syntax.Declarator {
        var declarator = Syntax.Declarator(name: try expectName(kind.noun))
        declarator.count = try elementCount()
        switch kind {
        case .shared, .atomic:
            declarator.type = try typeAnnotation()
            guard accept(.assign) else { throw refuse(.missingInitialValue, at: behindPrevious) }
            declarator.value = try assignedValue()
        case .semaphore:
            if accept(.assign) { declarator.value = try assignedValue() }
        case .built(let recipe):
            guard let number = recipe.number else { break }
            roles.calls.insert(position)
            guard accept(.openParenthesis) else {
                throw refuse(expected: "'(' and the \(number.name), for example '(2)'")
            }
            declarator.number = try expression()
            try expect(.closeParenthesis)
        case .condition:
            if accept(.with) { declarator.mutex = try place() }
        case .mutex, .readWriteLock: break
        }
        return declarator
    }

    /// `condition notEmpty, notFull with m`: both.
    private mutating func shareMutex(_ declarators: inout [Syntax.Declarator]) throws(Refused) {
        guard var mutex = declarators.last?.mutex else {
            throw refuse(expected: "'with' and the condition's mutex")
        }
        for i in declarators.indices.reversed() {
            if let own = declarators[i].mutex { mutex = own } else { declarators[i].mutex = mutex }
        }
    }
}

extension Syntax.ObjectDeclaration.Kind {
    /// "the mutex"
    var noun: String {
        switch self {
        case .shared: "the shared variable"
        case .atomic: "the atomic"
        case .mutex: "the mutex"
        case .readWriteLock: "the read-write lock"
        case .semaphore: "the semaphore"
        case .condition: "the condition"
        case .built(let recipe): "the \(recipe.word)"
        }
    }
}
