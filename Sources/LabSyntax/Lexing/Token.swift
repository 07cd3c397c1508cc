import Recipes

/// A word, number, string literal or symbol of the source. This file has the language's keywords, symbols and names of
/// members.
struct Token {
    enum Kind: Equatable {
        case name
        case keyword(Keyword)
        /// The word that declares a built object, such as `barrier`: one that the `Recipes` module defines by a lock
        /// and conditions.
        case recipe(Recipe)
        /// Digits and the letters directly after them: an integer, or a duration with its unit.
        case number
        /// A string literal, including its quotation marks. The manual calls it a text.
        case text
        case symbol(Symbol)
        /// After the last token of the source.
        case end
    }

    /// The words that cannot be names, and their kinds.
    static let reserved: [String: Kind] = {
        var kinds: [String: Kind] = [:]
        for keyword in Keyword.allCases where keyword.isReserved { kinds[keyword.rawValue] = .keyword(keyword) }
        for recipe in Recipe.all { kinds[recipe.word] = .recipe(recipe) }
        return kinds
    }()

    /// The length of the longest reserved word in bytes.
    static let longestReserved = reserved.keys.map(\.utf8.count).max() ?? 0

    var kind: Kind
    var span: Span
    /// Whether it is the first on its line. If so, the statement before it may end there.
    var startsLine: Bool
}

struct Comment {
    var span: Span
    /// Whether it begins with `///`, and not with a fourth `/`: it describes the declaration after it.
    var isDescription: Bool
    /// Whether it is the first thing on its line.
    var startsLine: Bool
    /// The index of the token after it.
    var nextToken: Int
}

/// The keywords of the language, except those that declare built objects, such as `barrier` (`allWords` has both).
/// Tests compare the editors' syntax files and the manual's list with this.
package enum Keyword: String, CaseIterable, Sendable {
    // Declarations
    case scenario, parameter, shared, atomic, mutex, rwlock, semaphore, condition
    case thread, `func`, finally, expect, run
    // Statements
    case `let`, `var`, `if`, `else`, `while`, `for`, `in`, `repeat`, `break`, `continue`, `return`
    case lock, await, assert, note, sleep, yield, spawn, join, detach
    // Expressions
    case `true`, `false`, index, choose
    // Before the mutex in the declaration of a condition
    case with
    // Words with a meaning in one place only. Elsewhere they can be names.
    case recursive, checking, writersFirst
    case reading, writing, progress
    case given, task, specification
    case invariant
    case completes, always, never, sometimes, possible, eventually, outcomes, linearizable, warning, under, broken
    /// `acqrel` is an older spelling of `acqRel`.
    case relaxed, acquire, release, acqRel, acqrel, seqcst
    /// Memory models. `seqcst` is one too: it is an older word for `sc`, as `weak` is for `rc11`.
    case sc, tso, rc11, weak
    case min, max, abs, fence
    case int = "Int"
    case bool = "Bool"
    case duration = "Duration"

    /// The memory order, in its current spelling. Nil: the text is not a memory order.
    package init?(order text: String) {
        guard let keyword = Keyword(rawValue: text), keyword.group == .ordering else { return nil }
        self = keyword == .acqrel ? .acqRel : keyword
    }

    package enum Group: Sendable {
        case declaration, statement, expression, modifier, expectation, ordering, function, type
    }

    package var group: Group {
        switch self {
        case .scenario, .parameter, .shared, .atomic, .mutex, .rwlock, .semaphore, .condition, .thread, .func, .finally,
            .expect, .run, .with, .invariant, .given, .task,
            .specification:
            .declaration
        case .let, .var, .if, .else, .while, .for, .in, .repeat, .break, .continue, .return, .lock, .await, .assert,
            .note, .sleep, .yield, .spawn, .join, .detach, .reading, .writing,
            .progress:
            .statement
        case .true, .false, .index, .choose: .expression
        case .recursive, .checking, .writersFirst: .modifier
        case .completes, .always, .never, .sometimes, .possible, .eventually, .outcomes, .linearizable, .warning,
            .under,
            .broken, .sc, .tso, .rc11, .weak:
            .expectation
        case .relaxed, .acquire, .release, .acqRel, .acqrel, .seqcst: .ordering
        case .min, .max, .abs, .fence: .function
        case .int, .bool, .duration: .type
        }
    }

    /// Whether the word cannot be a name.
    package var isReserved: Bool {
        switch group {
        case .expression: true
        case .declaration: self != .invariant && self != .given && self != .task && self != .specification
        case .statement: self != .reading && self != .writing && self != .progress
        case .modifier, .expectation, .ordering, .function, .type: false
        }
    }

    /// The keywords, and the words that declare built objects.
    package static let allWords = allCases.map(\.rawValue) + Recipe.all.map(\.word)

    /// The words that cannot be names.
    package static let reservedWords = allCases.filter(\.isReserved).map(\.rawValue) + Recipe.all.map(\.word)
}

/// An operator or a punctuation mark, of one or more characters.
enum Symbol: String, CaseIterable {
    case openParenthesis = "("
    case closeParenthesis = ")"
    case openBrace = "{"
    case closeBrace = "}"
    case openBracket = "["
    case closeBracket = "]"
    case comma = ","
    case semicolon = ";"
    case colon = ":"
    case dot = "."
    case arrow = "->"
    case upTo = "..<"
    case through = "..."
    case assign = "="
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case remainder = "%"
    case bitAnd = "&"
    case bitOr = "|"
    case bitXor = "^"
    case shiftLeft = "<<"
    case shiftRight = ">>"
    case addAssign = "+="
    case subtractAssign = "-="
    case multiplyAssign = "*="
    case divideAssign = "/="
    case remainderAssign = "%="
    case bitAndAssign = "&="
    case bitOrAssign = "|="
    case bitXorAssign = "^="
    case shiftLeftAssign = "<<="
    case shiftRightAssign = ">>="
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case and = "&&"
    case or = "||"
    case not = "!"
    case invert = "~"
    // Symbols of other languages, recognized so that the message can suggest what to write instead
    case increment = "++"
    case decrement = "--"
    case question = "?"
    case at = "@"
    case hash = "#"
    case dollar = "$"
    case backslash = "\\"
    case backquote = "`"
    case apostrophe = "'"

    /// For each byte, the symbols that begin with it, longest first.
    private static let byFirstByte: [[(bytes: [UInt8], symbol: Symbol)]] = {
        var table = [[(bytes: [UInt8], symbol: Symbol)]](repeating: [], count: 128)
        for symbol in allCases {
            let bytes = Array(symbol.rawValue.utf8)
            table[Int(bytes[0])].append((bytes, symbol))
        }
        return table.map { $0.sorted { $0.bytes.count > $1.bytes.count } }
    }()

    /// The longest symbol that begins at the position. Nil: none does.
    static func first(of bytes: [UInt8], at position: Int, end: Int) -> (symbol: Symbol, length: Int)? {
        guard bytes[position] < 128 else { return nil }
        for (candidate, symbol) in byFirstByte[Int(bytes[position])]
        where position + candidate.count <= end
            && candidate.indices.allSatisfy({ bytes[position + $0] == candidate[$0] })
        {
            return (symbol, candidate.count)
        }
        return nil
    }

    /// The operator of a compound assignment: `+` for `+=`. Nil: the symbol is something else.
    var assignedOperator: Operator? {
        guard rawValue.count > 1, rawValue.last == "=", self != .equal else { return nil }
        let sign = Operator(rawValue: String(rawValue.dropLast()))
        return sign?.isComparison == false ? sign : nil
    }
}

/// The names of methods and properties of objects, except those that only built objects have, such as `countDown`.
/// `LabProgram` decides which object has which.
package enum MemberName: String, CaseIterable, Sendable {
    case lock, tryLock, unlock
    case readLock, tryReadLock, writeLock, tryWriteLock, downgrade
    case wait, tryWait, signal, broadcast, value
    case load, store, exchange, compareExchange, weakCompareExchange, add, bitAnd, bitOr, bitXor
    case append, removeFirst, removeLast, removeAll, count, isEmpty

    /// The kind of access that the method makes to an atomic, and so the kind of its memory order. Nil: it is not a
    /// method of atomics.
    var kindOfOrder: OrderPlace.Kind? {
        switch self {
        case .load: .load
        case .store: .store
        case .exchange, .compareExchange, .weakCompareExchange, .add, .bitAnd, .bitOr, .bitXor: .update
        case .lock, .tryLock, .unlock, .readLock, .tryReadLock, .writeLock, .tryWriteLock, .downgrade, .wait, .tryWait,
            .signal, .broadcast, .value, .append, .removeFirst, .removeLast, .removeAll, .count, .isEmpty:
            nil
        }
    }
}
