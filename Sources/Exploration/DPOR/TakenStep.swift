import Machine

/// One step of the execution that a partial-order search is extending: the operation, and what is known of the step.
struct TakenStep: BitwiseCopyable {
    /// The thread of a step that no thread takes: the choice, when nothing else can happen, whether a wait ends without
    /// a signal.
    static let noThread: UInt16 = .max

    var thread: UInt16
    var kind: Operation.Kind
    /// The thread's status before the step.
    var status: ThreadState.Status
    var orders = Operation.Orders()
    /// Whether the thread's body ended with the step.
    var isLast = false
    /// Whether the step was a read after which the thread's `await` continued to wait. Such a step touches nothing, and
    /// the thread's next step belongs to the same `await`.
    var failsAwait = false
    /// Whether the step ended the run although other threads had more to do, so that it depends on every other step.
    var endsRun = false
    /// The operation's arguments; `b` is a deadline or the second argument.
    var object: UInt32
    var a: Int
    var b: Int
    /// The virtual time before the step.
    var time: Int
    /// The alternative that the step took, and the number of alternatives. `hasFixedWay`: the wakeup tree asked for
    /// this alternative, so the search does not try the next one here when it goes back.
    var way: Int32 = 0
    var ways: Int32 = 1
    var hasFixedWay = false
    /// For a wait that ends without a signal: whether it does so before its time limit.
    var isSpurious = false
    /// For a write lock: whether the lock prefers writers, so that an arriving writer can always queue.
    var isFair = false
    /// Whether the step is the last of a sequence that was scheduled (`PartialOrderSearch.Memory.sleepOn`).
    var endsPlan = false
    /// The step's touches, in the trail's list.
    var firstTouch: Int32
    var touchCount: Int32 = 0
    /// The previous step of the thread; −1: none.
    var previous: Int32
    /// What the thread announced after the step, as far as it can close a cycle of waiting threads.
    var next = Announcement()
    /// The thread that the step started; −1: none.
    var started: Int32 = -1
    /// The threads that the step woke, in the trail's list.
    var firstWoken: Int32
    var wokenCount: Int32 = 0
    /// The number of the last *front*, a moment at which time passed, before the step, or of the one that
    /// `Trail.addFront` has added right after it; −1: none.
    var front: Int32
}

/// A thing that a step touched, and its words before the step.
struct Touch: BitwiseCopyable {
    var access: Access
    var step: Int32
    /// The previous touch of the same thing, and the last one that wrote it; −1: none.
    var previous: Int32
    var lastWrite: Int32
    /// The words of the object before the step. If the thing is a thread, `value` is its `ThreadLife`.
    var owner: Int32 = 0
    var count: Int32 = 0
    var value = 0
    var kind = ObjectState.Kind.other
    /// For a read-write lock: whether a reader would have acquired it before the step.
    var letsReadersIn = false
    /// The change that the step made to the number of the lock's readers.
    var readers: Int8 = 0

    /// The same words together.
    var words: ObjectState {
        var words = ObjectState(kind: kind, value: value)
        words.owner = owner
        words.count = count
        return words
    }

    /// The latest earlier touch on which this one may depend. A read skips earlier reads, which are independent and can
    /// be very many in a row.
    var candidate: Int32 { access.isWrite ? previous : lastWrite }
}

extension TakenStep {
    /// Whether every other step depends on this one.
    var touchesWorld: Bool { kind == .exit || kind == .inspect }

    var operation: Operation { Operation(kind, object, a, b, orders: orders) }
}
