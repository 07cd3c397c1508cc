/// What a thread does, as a list of instructions for a stack: a translation of the tree that shares nothing with threadlab's.
/// Calls are replaced by the functions' bodies, since no function calls itself.
struct Code {
    /// One visible step. An array's element, if it is not fixed, and then the values are on the stack.
    struct Step {
        enum Kind: Equatable {
            case start, read, write, load, store
            case update(Expression.Update)
            case compareExchange, weakCompareExchange
            case lock, tryLock
            case lockFor(Int)
            case unlock
            case take, tryTake
            case takeFor(Int)
            case give, permits
            case wait
            case waitFor(Int)
            case signal, broadcast
            case readLock, tryRead
            case readFor(Int)
            case writeLock, tryWrite
            case writeFor(Int)
            case unlockShared
            case choose(Int)
            case sleep(Int)
            case yield
            /// Of the thread with number `object`.
            case spawn, join, detach
            case inspect, exit
        }

        var kind: Kind
        /// The number of the object, or of the array's first element.
        var object = 0
        /// Whether the element is on the stack.
        var isElement = false
        /// Whether it is a read of an `await`.
        var isWatching = false

        /// Its time limit, in milliseconds.
        var limit: Int? {
            switch kind {
            case .lockFor(let time), .takeFor(let time), .waitFor(let time), .readFor(let time), .writeFor(let time),
                .sleep(let time):
                time
            default: nil
            }
        }
    }

    enum Instruction {
        case push(Int)
        case get(Int)
        case set(Int)
        /// Variables whose block is over.
        case forget(Range<Int>)
        case binary(Expression.Sign)
        case not
        case pop
        case jump(Int)
        case jumpIfFalse(Int)
        /// Jumps and keeps the value, or removes it.
        case jumpKeeping(Int, Bool)
        case step(Step)
        /// Fails with this number, unless the value is true.
        case assert(Int)
        case progress
        case beginAwait
        /// Waits for a change and jumps, unless the value is true.
        case repeatAwait(Int)
        case review, end
    }

    var instructions: [Instruction] = []
    var variables = 0
    /// The deepest that the stack can be.
    var depth = 0

    var makesProgress: Bool {
        instructions.contains { if case .progress = $0 { true } else { false } }
    }
}
