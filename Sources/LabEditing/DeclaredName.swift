import LabSyntax
import Recipes

/// A name that a program declares, and its scope. A name at a place means the declaration whose scope contains the
/// place. In `.lab` no name hides another, except that a specification has declarations of its own.
package struct DeclaredName {
    package enum Kind {
        case parameter
        case object(Syntax.ObjectDeclaration.Kind, Syntax.Declarator)
        case thread
        case function(Syntax.FunctionDeclaration)
        /// A local variable, the variable of a loop, or an argument.
        case variable
    }

    package let name: Syntax.Name
    package let kind: Kind
    /// The part of the text in which the name has this meaning.
    package let scope: Span
    /// The declaration, or for a variable the name alone.
    package let declaration: Span
    /// Whether the declaration is part of a specification.
    package let isOfSpecification: Bool

    /// What is declared, as a short phrase such as `a mutex`.
    package var noun: String {
        switch kind {
        case .parameter: "a parameter"
        case .thread: "a thread"
        case .function: "a function"
        case .variable: "a variable"
        case .object(let kind, let declarator):
            switch kind {
            case .shared: declarator.isList ? "a list" : "a shared variable"
            case .atomic: "an atomic"
            case .mutex: "a mutex"
            case .readWriteLock: "a read-write lock"
            case .semaphore: "a semaphore"
            case .condition: "a condition"
            case .built(let recipe): recipe.noun
            }
        }
    }
}

extension Syntax.Declarator {
    /// Whether the variable is a list, and not an array or a single value.
    var isList: Bool {
        if type?.isList == true { return true }
        guard count == nil, case .list? = value?.kind else { return false }
        return true
    }
}

/// Finds the declarations in a syntax tree.
struct DeclarationWalk {
    private(set) var found: [DeclaredName] = []
    /// The offsets at which `progress`, or a block such as `lock` or `reading`, begins with a keyword. Some of these
    /// keywords can be names elsewhere.
    private(set) var keywordOffsets: Set<Int> = []
    private var isInSpecification = false

    /// - Parameter end: the length of the text in bytes.
    init(_ file: Syntax.File, end: Int) {
        for (item, span) in zip(file.items, file.spans) { walk(item, span, Span(0, end)) }
    }

    private mutating func note(_ name: Syntax.Name, _ kind: DeclaredName.Kind, _ scope: Span, _ declaration: Span) {
        guard name.text != "_" else { return }
        found.append(
            DeclaredName(
                name: name, kind: kind, scope: scope, declaration: declaration, isOfSpecification: isInSpecification))
    }

    private mutating func walk(_ item: Syntax.Item, _ span: Span, _ scope: Span) {
        switch item {
        case .parameter(let parameter): note(parameter.name, .parameter, scope, span)
        case .objects(let objects):
            for declarator in objects.declarators {
                note(declarator.name, .object(objects.kind, declarator), scope, span)
            }
        case .thread(let thread):
            note(thread.name, .thread, scope, span)
            walk(thread.body)
        case .function(let function):
            note(function.name, .function(function), scope, span)
            for parameter in function.parameters {
                note(
                    parameter.name, .variable, Span(parameter.name.span.start, function.body.span.end),
                    parameter.name.span)
            }
            walk(function.body)
        case .finally(let block, _): walk(block)
        case .specification(let specification):
            isInSpecification = true
            for item in specification.items { walk(item, span, span) }
            isInSpecification = false
        case .run, .expect, .task: break
        }
    }

    private mutating func walk(_ block: Syntax.Block) {
        for statement in block.statements {
            switch statement.kind {
            case .variable(let variable):
                note(variable.name, .variable, Span(variable.name.span.start, block.span.end), variable.name.span)
            case .if(let branches, let otherwise):
                for branch in branches { walk(branch.block) }
                if let otherwise { walk(otherwise) }
            case .for(let name, _, let body):
                note(name, .variable, Span(name.span.start, body.span.end), name.span)
                walk(body)
            case .locked(_, _, let body), .enclosed(_, _, let body):
                keywordOffsets.insert(statement.span.start)
                walk(body)
            case .progress: keywordOffsets.insert(statement.span.start)
            case .while(_, let body), .repeat(_, let body): walk(body)
            case .assign, .expression, .break, .continue, .return, .await, .assert, .note, .sleep, .yield, .spawn,
                .join, .detach:
                break
            }
        }
    }
}
