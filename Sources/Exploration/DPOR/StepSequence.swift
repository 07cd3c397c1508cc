/// How often a thread holds a read-write lock to read after a sequence of steps, and the step since which it does.
struct Reader: BitwiseCopyable {
    var holds: Int32 = 0
    var since: Int32 = 0
}

/// A sequence of steps of this execution, as numbers in the trail. The first step of each thread can be removed, at a
/// cost that does not depend on the number of steps.
struct StepSequence: ~Copyable {
    private var steps = Pile<Int32>()
    /// By thread: the first and the last of its steps that are left. If it has none, they are `none` and −1.
    private(set) var firsts = Pile<Int32>()
    private var lasts = Pile<Int32>()
    /// By step: the next step of its thread in the sequence, or `none`.
    private var following = Pile<Int32>()
    /// The number of steps left.
    private(set) var count = 0

    /// Stands for the first step of a thread that has none. Greater than any step.
    static let none = Int32.max

    /// Removes all steps.
    ///
    /// - Parameters:
    ///   - width: the maximum number of threads.
    ///   - end: a number greater than those of all steps.
    @inline(__always) mutating func begin(width: Int, end: Int) {
        steps.cut(to: 0)
        count = 0
        firsts.refill(to: width, with: Self.none)
        lasts.refill(to: width, with: -1)
        if following.count < end { following.extend(by: end - following.count) }
    }

    @inline(__always) mutating func append(_ step: Int32, of thread: UInt16) {
        steps.append(step)
        count += 1
        if lasts[Int(thread)] < 0 {
            firsts[Int(thread)] = step
        } else {
            following[Int(lasts[Int(thread)])] = step
        }
        lasts[Int(thread)] = step
        following[Int(step)] = Self.none
    }

    /// Removes the last step, which belongs to this thread. No step must have been removed before.
    mutating func removeLast(of thread: UInt16) {
        let last = steps[steps.count - 1]
        steps.cut(to: steps.count - 1)
        count -= 1
        if firsts[Int(thread)] == last {
            firsts[Int(thread)] = Self.none
            lasts[Int(thread)] = -1
        } else {
            // An upper bound: the thread's step before it is not known, but no step of the thread is between them.
            lasts[Int(thread)] = last - 1
        }
    }

    /// Removes the thread's first step. It must have one.
    @inline(__always) mutating func removeFirst(of thread: UInt16) {
        let next = following[Int(firsts[Int(thread)])]
        firsts[Int(thread)] = next <= lasts[Int(thread)] ? next : Self.none
        count -= 1
    }

    /// The thread's first step that is left, or `none`.
    @inline(__always) func first(of thread: Int) -> Int32 { firsts[thread] }

    /// Whether the thread's step is left.
    @inline(__always) func contains(_ step: Int32, of thread: UInt16) -> Bool {
        step >= firsts[Int(thread)] && step <= lasts[Int(thread)]
    }

    /// All steps that were added, including those removed from the front.
    @inline(__always) var all: UnsafeBufferPointer<Int32> {
        UnsafeBufferPointer(start: steps.base, count: steps.count)
    }
}
