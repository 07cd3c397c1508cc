import LabSyntax
import Machine
import Trace

// Statements after checking. A step is an access to something shared, before which other threads may run; evaluating
// local variables takes none. A slot is the index of a local variable in `Body.slots`.

extension Program {
    package struct Statement: Sendable {
        package var kind: Kind
        package var site: Site

        package indirect enum Kind: Sendable {
            /// `let`, `var` or an assignment to a local variable: no step.
            case set(slot: Int, Expression)
            /// A write to a shared variable, or to an element of an array or a list. Evaluates the subscript and the
            /// value; then the write is one step.
            case write(Place, Expression)
            /// `a[i] += e`: evaluates the subscript, reads, evaluates `e`, writes.
            case update(Place, Operator, Expression)
            /// Evaluates the expression for its effect, and discards the value.
            case evaluate(Expression)
            /// Runs the first branch whose condition holds.
            case branch([Branch], otherwise: Block?)
            case loop(while: Expression, Block)
            /// `for i in lower..<upper` or `lower...upper`. Evaluates both bounds once; the slot `bound` keeps the
            /// value of `upper`. The block does not change the variable.
            case count(slot: Int, lower: Expression, upper: Expression, isClosed: Bool, bound: Int, Block)
            /// `repeat n`: evaluates `n` once, and counts it down in a slot. If it is zero or less, the block does not
            /// run.
            case times(Expression, slot: Int, Block)
            /// `break`: leaves the innermost loop, and unlocks what the `locked` blocks that it leaves have locked.
            case leave
            /// `continue`: begins the innermost loop's next iteration, and unlocks in the same way.
            case next
            /// Leaves the function or ends the thread, and unlocks in the same way.
            case `return`(Expression?)
            /// Locks, runs the block, and unlocks at every exit.
            case locked(Place, LockMode, Block)
            /// A block that belongs to a built object, such as `once o { … }`. The object's recipe decides whether the
            /// thread runs it.
            case enclosed(Place, Block)
            /// Evaluates the condition. While it is false, blocks until a value that it read is written, and evaluates
            /// again.
            case await(Expression)
            /// With the text to show if the condition is false. `source` is the condition as written in the file.
            case assert(Expression, Text?, source: String)
            case note(Text)
            case sleep(Expression)
            case yield
            /// Orders the thread's accesses before it and after it.
            case fence(MemoryOrder)
            /// Marks the place where a thread has done what it loops for. No step.
            case progress
            case spawn(ThreadPlace)
            case join(ThreadPlace)
            case detach(ThreadPlace)
        }

        package struct Branch: Sendable {
            package var condition: Expression
            package var block: Block
        }
    }

    package struct Block: Sendable {
        package var statements: [Statement] = []
        /// The slots of the variables declared in the block and in nested blocks. Nothing outside of it uses them.
        package var slots: Range<Int> = 0..<0
    }

    /// What a method or property does to its object.
    package enum Action: Equatable, Sendable {
        /// A base operation, whose meaning the module `Machine` defines. On an atomic, an update such as `add` returns
        /// the old value, and `compareExchange` whether it stored.
        ///
        /// - Parameters:
        ///   - isTimed: whether it has a duration as its argument, and returns whether it succeeded in that time.
        ///   - orders: how it orders memory, if it is on an atomic.
        case operation(Operation.Kind, isTimed: Bool = false, orders: Operation.Orders = .init())
        /// The method with this number in a recipe.
        case built(method: Int)
        /// Operations of lists. Removing from an empty list ends the run with an error.
        case append, removeFirst, removeLast, removeAll, count

        /// Whether it only reads: it changes nothing and never blocks.
        package var onlyLooks: Bool {
            switch self {
            case .operation(let kind, _, _): kind.isLook
            case .count: true
            case .built, .append, .removeFirst, .removeLast, .removeAll: false
            }
        }

        package var kind: Operation.Kind? {
            if case .operation(let kind, _, _) = self { kind } else { nil }
        }

        /// How it orders memory, if it is an operation on an atomic.
        package var orders: Operation.Orders {
            if case .operation(_, _, let orders) = self { orders } else { .init() }
        }

        /// The same operation with these orders.
        package func ordered(_ orders: Operation.Orders) -> Action {
            if case .operation(let kind, let isTimed, _) = self {
                .operation(kind, isTimed: isTimed, orders: orders)
            } else {
                self
            }
        }
    }

    /// A string literal with values in it, such as `"took \(item)"`.
    package struct Text: Sendable {
        package enum Part: Sendable {
            case words(String)
            case value(Expression)
        }

        package var parts: [Part]

        package init(parts: [Part]) { self.parts = parts }

        package var hasValues: Bool { parts.contains { if case .value = $0 { true } else { false } } }
    }

    /// The thread that a `spawn`, `join` or `detach` names.
    package struct ThreadPlace: Sendable {
        /// Its index in `Program.threads`.
        package var thread: Int
        /// The subscript. Nil: the single thread, or all elements of the array, one after the other.
        package var index: Expression?

        package init(thread: Int, index: Expression?) {
            self.thread = thread
            self.index = index
        }
    }
}
