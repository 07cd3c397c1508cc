/// What an instruction does. Values are on the thread's evaluation stack; `a` and `b` are the instruction's arguments.
enum Opcode: UInt8 {
    // Values
    /// Pushes `a`.
    case push
    /// Pushes constant number `a`.
    case constant
    /// Pushes slot `a`, or pops into it.
    case get, set
    /// Zeroes `b` slots from `a` on: what is in them means nothing any more.
    case clear
    /// Pushes the thread's number in its array.
    case index
    case pop
    case negate, invert, not
    /// The operator of the same name on the two values on top.
    case add, subtract, multiply, divide, remainder, bitAnd, bitOr, bitXor, shiftLeft, shiftRight
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    /// The number of an object's element: of the object whose first element is `a`, of `b`.
    case element

    // Where to continue
    case jump, jumpIfFalse, jumpIfTrue
    /// Goes to `a` with the value on top, if that is false (or: true); otherwise pops it.
    case jumpKeepingFalse, jumpKeepingTrue
    /// Calls function `a`, whose arguments are on the stack.
    case call
    /// Leaves a function with `a` slots; with the value on top if `b` is 1.
    case `return`
    case end

    // What others see
    /// Form number `b` of an operation on object `a`. It is the next step.
    case operate
    /// After a compare-exchange: whether it stored. After an addition: an overflow is a failure.
    case compared, added
    /// Starts the thread whose number is on top; if `b` is 1, with the program.
    case spawn
    /// Checks how many alternatives there are to choose from.
    case choices
    /// An `await` begins. It has come out false: it continues at `a` when something that was read has changed.
    case beginAwait, awaitAgain

    // Lists, right after the operation that makes it a step. `a` is where the list's words begin.
    case listAppend, listRemoveFirst, listRemoveLast, listRemoveAll, listCount, listGet, listSet
    /// Whether the list holds the `b` values on top.
    case listEquals

    // Words of built objects, which a lock protects
    case word, setWord
    /// The same of the word that is `a` words behind the place on top. Where it is set, the value is below.
    case wordAt, setWordAt

    /// Text number `a`, with `b` values on top.
    case note, fail
    /// The main thread is done: whether the values at the end are right.
    case review
}
