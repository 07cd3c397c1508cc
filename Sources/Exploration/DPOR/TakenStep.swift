import Machine

/// One step of the present execution.
struct TakenStep: BitwiseCopyable {
    /// A step of no thread: the choice whether a wait ends without a signal when nothing else can happen.
    static let nobody: UInt16 = .max

    var thread: UInt16
    var kind: Operation.Kind
    /// The thread's status before the step.
    var status: ThreadState.Status
    var orders = Operation.Orders()
    /// Whether the thread's body ended with it.
    var isLast = false
    /// Whether it was an `await`'s read that left it where it was, so that it touched nothing. The thread's next step is
    /// the same `await`.
    var isFailedLook = false
    /// Whether the run ended with it, though other threads had more to do: then it depends on every other step.
    var endsRun = false
    /// The operation's own arguments: its object, its first argument, and its deadline or second argument.
    var object: UInt32
    var a: Int
    var b: Int
    /// The virtual time before the step.
    var time: Int
    /// Which alternative it took, of how many. A `fixedWay` is not a choice here: another node tries the others.
    var way: Int32 = 0
    var ways: Int32 = 1
    var hasFixedWay = false
    /// For a wait that ends without a signal: whether its time limit had not passed.
    var isSpurious = false
    /// For a write lock: whether it prefers writers, so that an arriving writer can always queue.
    var isFair = false
    /// Whether it was scheduled as a step that depends on every other, so that no thread stays asleep.
    var wakesAll = false
    /// What it touched.
    var firstTouch: Int32
    var touchCount: Int32 = 0
    /// The thread's step before; −1: none.
    var previous: Int32
    /// What its thread was to do next.
    var next = Announcement()
    /// The thread that it started; −1: none.
    var started: Int32 = -1
    /// The threads that it woke, in the trail's list.
    var firstWoken: Int32
    var wokenCount: Int32 = 0
    /// Which of the trail's fronts precedes everything from here on; −1: none.
    var front: Int32
}

/// A thing that a step touched, and its words before.
struct Touch: BitwiseCopyable {
    var access: Access
    var step: Int32
    /// The touch of the same thing before, and the last one that wrote it; −1: none.
    var previous: Int32
    var lastWrite: Int32
    /// The object's words before the step. For a thread, `value` is its life.
    var owner: Int32 = 0
    var count: Int32 = 0
    var value = 0
    var kind = ObjectState.Kind.other
    /// For a read-write lock: whether a reader would have acquired it.
    var letsReadersIn = false
    /// By how many the step changed the number of its readers.
    var readers: Int8 = 0

    /// The words that the object had.
    var words: ObjectState {
        var words = ObjectState(kind: kind, value: value)
        words.owner = owner
        words.count = count
        return words
    }

    /// The last touch before it that this one may depend on. Reads do not depend on each other, and there may be very
    /// many in a row.
    var candidate: Int32 { access.isWrite ? previous : lastWrite }
}

extension TakenStep {
    /// Whether every other step depends on it in any case.
    var touchesWorld: Bool { kind == .exit || kind == .inspect }

    var operation: Operation { Operation(kind, object, a, b, orders: orders) }
}
