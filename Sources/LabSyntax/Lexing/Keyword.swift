import Recipes

/// The language's own words. Objects built by recipes add theirs (`allWords`). Tests compare editors' syntax files and
/// the manual's list with this.
package enum Keyword: String, CaseIterable, Sendable {
    // Declarations
    case scenario, parameter, shared, atomic, mutex, rwlock, semaphore, condition
    case thread, `func`, finally, expect, run
    // Statements
    case `let`, `var`, `if`, `else`, `while`, `for`, `in`, `repeat`, `break`, `continue`, `return`
    case lock, await, assert, note, sleep, yield, spawn, join, detach
    // Expressions
    case `true`, `false`, index, choose
    case with
    // Words with a meaning in one place only, which are names elsewhere
    case recursive, checking, writersFirst
    case reading, writing, progress
    case invariant
    case completes, always, never, sometimes, eventually, outcomes, warning, under, broken
    case relaxed, acquire, release, acqrel, seqcst, weak
    case int = "Int"
    case bool = "Bool"
    case duration = "Duration"

    package enum Group: Sendable { case declaration, statement, expression, modifier, expectation, ordering, type }

    package var group: Group {
        switch self {
        case .scenario, .parameter, .shared, .atomic, .mutex, .rwlock, .semaphore, .condition, .thread, .func, .finally,
            .expect, .run, .with, .invariant:
            .declaration
        case .let, .var, .if, .else, .while, .for, .in, .repeat, .break, .continue, .return, .lock, .await, .assert,
            .note, .sleep, .yield, .spawn, .join, .detach, .reading, .writing,
            .progress:
            .statement
        case .true, .false, .index, .choose: .expression
        case .recursive, .checking, .writersFirst: .modifier
        case .completes, .always, .never, .sometimes, .eventually, .outcomes, .warning, .under, .broken: .expectation
        case .relaxed, .acquire, .release, .acqrel, .seqcst, .weak: .ordering
        case .int, .bool, .duration: .type
        }
    }

    /// Whether it cannot be a name.
    package var isReserved: Bool {
        switch group {
        case .expression: true
        case .declaration: self != .invariant
        case .statement: self != .reading && self != .writing && self != .progress
        case .modifier, .expectation, .ordering, .type: false
        }
    }

    /// Every word with a meaning in the language.
    package static let allWords = allCases.map(\.rawValue) + Recipe.all.map(\.word)

    /// The words that cannot be names.
    package static let reservedWords = allCases.filter(\.isReserved).map(\.rawValue) + Recipe.all.map(\.word)
}
