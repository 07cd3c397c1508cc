import Machine

/// What a step touches, in compact form: only its first two accesses are stored.
struct Footprint {
    var first: Access
    var second: Access
    /// The number of things that the step touches. A step with more than two is treated as dependent on every step.
    var count: Int

    /// Any number of things greater than two.
    @inline(__always) static var many: Int { 3 }

    init(_ access: Access) {
        first = access
        second = access
        count = 1
    }

    init(_ accesses: UnsafeMutablePointer<Access>, count: Int) {
        self.count = count
        first = count > 0 ? accesses[0] : Access(0, isWrite: false)
        second = count > 1 ? accesses[1] : first
    }

    /// The footprint that a step of the trail had just before it was taken.
    init(_ trail: borrowing Trail, _ step: TakenStep) {
        let touches = Int(step.firstTouch)
        // A thread's last step also touches the thread itself. That touch was added after the step, so it is left out.
        count = Int(step.touchCount) - (step.isLast ? 1 : 0)
        first = count > 0 ? trail.touches[touches].access : Access(0, isWrite: false)
        second = count > 1 ? trail.touches[touches + 1].access : first
    }

    /// The footprint of a step that ended the run: every step that touches anything depends on it. If the step concerns
    /// a thread, as a join does, that thread's last step depends on it too.
    init(endOf trail: borrowing Trail, _ step: TakenStep) {
        self.init(Access(Access.end, isWrite: true))
        let touches = Int(step.firstTouch)..<Int(step.firstTouch + step.touchCount)
        guard let own = touches.first(where: { Access.thread(of: trail.touches[$0].access.thing) != nil }) else {
            return
        }
        second = trail.touches[own].access
        count = 2
    }

    /// The footprint of a step about which nothing is known: it depends on every step.
    static let unknown: Footprint = {
        var footprint = Footprint(Access(Access.world, isWrite: true))
        footprint.count = Footprint.many
        return footprint
    }()

    @inline(__always) func touches(_ thing: Int32) -> Bool {
        (count > 0 && first.thing == thing) || (count > 1 && second.thing == thing)
    }

    /// A branch of a wakeup tree with this footprint.
    ///
    /// - Parameter way: the alternative of the step; −1: all of them.
    func branch(_ thread: UInt16, way: Int32) -> WakeupTrees.Branch {
        WakeupTrees.Branch(
            thread: thread, way: way, first: first, second: second, accessCount: UInt8(min(count, Self.many)))
    }
}

extension WakeupTrees.Branch {
    /// Whether the branch's step depends on a step with this access. Only its first two accesses are compared.
    @inline(__always) func conflicts(with access: Access) -> Bool {
        if accessCount == 0 { return access.thing == Access.world }
        return Self.conflict(first, access) || (accessCount > 1 && Self.conflict(second, access))
    }

    /// Whether the step touches more things than are stored, or ends the run. It is then treated as dependent on every
    /// step that touches anything. For the exit of the process see `TakenStep.touchesWorld`.
    var dependsOnAll: Bool { accessCount > 2 || (accessCount > 0 && first.thing == Access.end) }

    @inline(__always) static func conflict(_ one: Access, _ other: Access) -> Bool {
        if one.thing == Access.world || other.thing == Access.world { return true }
        if one.thing == Access.end || other.thing == Access.end { return true }
        return one.thing == other.thing && (one.isWrite || other.isWrite)
    }
}

extension Operation.Kind {
    /// Whether the step depends on whether another thread has ended, and does not wait for that: a detach, an attempt to
    /// join, and a join with a time limit.
    @inline(__always) var asksForEnd: Bool { self == .detach || self == .tryJoin || self == .joinUntil }
}

extension TakenStep {
    /// Whether there are states in which the step is blocked.
    var canBlock: Bool { status != .announced || (kind.canBlock && !(kind.isWriteLock && isFair) && !isImmediateRead) }

    /// Whether the step is a read that never blocks. Two reads of an `await` do: one with a known condition, while the
    /// condition is false, and one with a negative `b`, until a write of what the thread watches.
    private var isImmediateRead: Bool { kind.isLook && b >= 0 && operation.awaited == nil }

    var isWriteLock: Bool { kind.isWriteLock && kind.canBlock }
}
