/// A small program as the generator makes it: the arbiter reads it as it is, threadlab as text.
package struct Tree: Hashable, Sendable {
    package struct Object: Hashable, Sendable {
        package enum Kind: Hashable, Sendable {
            case atomic, shared, mutex, recursiveMutex, checkingMutex, semaphore, readWriteLock, writersFirstLock
            /// With the mutex that its waiters hold.
            case condition(String)
        }

        package var name: String
        package var kind: Kind
        /// Of an array. Nil: a single one.
        package var count: Int?
        package var initial = 0
    }

    package struct Function: Hashable, Sendable {
        package var name: String
        package var parameters: [String]
        /// Whether it returns a number: then its last statement returns.
        package var returnsNumber: Bool
        package var body: [Statement]
    }

    package struct Declaration: Hashable, Sendable {
        package var name: String
        package var count: Int?
        package var body: [Statement]
    }

    package struct Claim: Hashable, Sendable {
        package enum Kind: Hashable, Sendable {
            case always(Expression)
            case never(Expression)
            case sometimes(Expression)
            case possible(Expression)
            case invariant(Expression)
            case eventually(Expression)
            /// Each row has a value for each of the places.
            case outcomes([Place], [[Int]])
            /// The program says how its runs may end: these, or that they complete.
            case findings([String])
        }

        package var kind: Kind
        /// Whether the program says that some run breaks it.
        package var isBroken = false

        package init(_ kind: Kind, isBroken: Bool = false) {
            self.kind = kind
            self.isBroken = isBroken
        }
    }

    package var parameters: [String: Int] = [:]
    package var objects: [Object] = []
    package var functions: [Function] = []
    package var threads: [Declaration] = []
    package var finally: [Statement] = []
    package var claims: [Claim] = []
}

/// An object, or an element of an array.
package struct Place: Hashable, Sendable {
    package var object: String
    package var index: Expression?

    package init(_ object: String, _ index: Expression? = nil) {
        self.object = object
        self.index = index
    }
}

package indirect enum Expression: Hashable, Sendable {
    package enum Sign: String, Hashable, Sendable, CaseIterable {
        case add = "+"
        case subtract = "-"
        case multiply = "*"
        case equal = "=="
        case notEqual = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
    }

    package enum Update: String, Hashable, Sendable { case exchange, add, bitAnd, bitOr, bitXor }

    package enum Try: Hashable, Sendable {
        case lock, take, read, write
        /// Waits for this number of milliseconds.
        case lockFor(Int)
        case takeFor(Int)
        case readFor(Int)
        case writeFor(Int)
        case waitFor(Int)
    }

    case number(Int)
    case truth(Bool)
    /// A variable of the thread, or a parameter of the function.
    case local(String)
    case parameter(String)
    case index
    /// An atomic or plain variable; in a claim without a step.
    case read(Place)
    case update(Update, Place, Expression)
    case compareExchange(Place, Expression, Expression)
    /// It may also fail though it finds what it expects.
    case weakCompareExchange(Place, Expression, Expression)
    case attempt(Try, Place)
    case permits(Place)
    case choose(Int)
    /// With the labels that are written.
    case call(String, [Expression], labels: [String?])
    case binary(Sign, Expression, Expression)
    case and(Expression, Expression)
    case or(Expression, Expression)
    case not(Expression)
}

package indirect enum Statement: Hashable, Sendable {
    package enum Mode: String, Hashable, Sendable { case lock, reading, writing }
    package enum Act: String, Hashable, Sendable {
        case lock, unlock, readLock, writeLock, unlockShared, wait, signal, broadcast, take, give
    }
    package enum Life: String, Hashable, Sendable { case spawn, join, detach }

    case declare(String, Expression)
    case assign(String, Expression)
    case write(Place, Expression)
    /// A compound assignment to plain memory.
    case increase(Place, Expression)
    case evaluate(Expression)
    case act(Act, Place)
    case block(Mode, Place, [Statement])
    case branch(Expression, [Statement], [Statement])
    case loop(Expression, [Statement])
    case count(String, Int, Expression, [Statement])
    case times(Expression, [Statement])
    case leave, next
    case giveBack(Expression?)
    case await(Expression)
    case assert(Expression)
    case sleep(Int)
    case yield, progress
    /// A thread by name; an element of an array, or all.
    case life(Life, String, Int?)
}
