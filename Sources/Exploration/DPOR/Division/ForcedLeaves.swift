/// In a search of one part: the waits that threads have left without a signal only because the part's orders held
/// another thread back, and nothing else could be done.
///
/// Such a step helps to reach the part, but need not be taken. So when a race is reversed, what is tried instead leaves
/// the step out, and all that happens after it, unless the race itself does: executions in which the wait does not end
/// would otherwise be lost.
struct ForcedLeaves: ~Copyable {
    /// The numbers of these steps in the trail, in ascending order.
    private var steps: [Int] = []
    /// By thread: its first step that the present sequence leaves out.
    private var leftOut = Pile<Int32>()
    private var width = 0
    /// Whether the present sequence leaves any out.
    private(set) var areLeftOut = false

    mutating func note(_ step: Int) { steps.append(step) }

    /// Forgets the steps from this number on, because the trail has been cut there.
    mutating func forget(from number: Int) {
        while let last = steps.last, last >= number { steps.removeLast() }
    }

    /// Determines what a sequence leaves out.
    ///
    /// - Parameters:
    ///   - earlier: the sequence consists of steps after this one.
    ///   - later: the step that is to come before it.
    @inline(__always) mutating func leaveOut(after earlier: Int, for later: Int, _ trail: borrowing Trail) {
        areLeftOut = false
        if !steps.isEmpty { find(after: earlier, for: later, trail) }
    }

    private mutating func find(after earlier: Int, for later: Int, _ trail: borrowing Trail) {
        width = trail.width
        leftOut.refill(to: width, with: StepSequence.none)
        for step in steps where step > earlier && step != later && !trail.isSeen(step, by: later) {
            let thread = Int(trail.steps[step].thread)
            leftOut.base[thread] = min(leftOut[thread], Int32(truncatingIfNeeded: step))
            areLeftOut = true
        }
    }

    /// Whether a step with this clock is left out: it is such a step, or happens after one.
    func leaveOut(_ clock: UnsafeMutablePointer<Int32>) -> Bool {
        (0..<width).contains { clock[$0] > leftOut[$0] }
    }
}
