import Machine

/// The execution that a search is extending: its steps, what each touched, and which happens before which.
///
/// Step i *happens before* step j if i comes first and one of these holds: both are of one thread; they are dependent;
/// i started or woke the thread of j; time passed between them, which it does only when no thread can step; or a chain
/// of such pairs leads from i to j.
struct Trail: ~Copyable {
    var steps = Pile<TakenStep>()
    var touches = Pile<Touch>()
    /// Two clocks for each step: what its thread had seen before it, and after it. A clock holds, for each thread, the
    /// number of the latest step that was seen, plus one.
    private var clocks: Pile<Int32>
    /// One clock for each *front*, a moment at which time passed or no thread could step: the latest step of each
    /// thread before that moment. These steps happen before all later ones. A step's `front` is the number of the last
    /// front before it. If a front follows the step, `addFront` stores the number of that one there instead, and the
    /// next step copies it.
    private var fronts: Pile<Int32>
    /// By thing, as its number minus `Access.least`: the index of the last touch of it, or −1. A thing is an object, a
    /// thread's life, the clock, or another of those in `Access`.
    private var heads = Pile<Int32>(capacity: 2048)
    /// By thread: its last step, or −1.
    private var lastSteps = Pile<Int32>()
    /// If a step ended the run early: a clock of the steps that had to happen for that.
    private var needed = Pile<Int32>()
    /// The threads that steps woke, in the order of these steps.
    private var woken = Pile<UInt16>()
    /// The number of threads that a clock has room for: a power of two, at least `block`.
    private(set) var width = Trail.block
    /// Memory for a footprint.
    private var accesses = Pile<Access>()

    init() {
        clocks = Pile(capacity: 1024)
        fronts = Pile()
    }

    // MARK: - Clocks

    /// What the step's thread had seen before the step: its own earlier steps, and the steps that started or woke it.
    @inline(__always) func before(_ step: Int) -> UnsafeMutablePointer<Int32> { clocks.base + (2 &* step) &* width }

    /// What the step's thread had seen after the step.
    @inline(__always) func after(_ step: Int) -> UnsafeMutablePointer<Int32> { clocks.base + (2 &* step &+ 1) &* width }

    /// Whether the first step happens before the second, or is the second.
    @inline(__always) func isBefore(_ first: Int, _ second: Int) -> Bool {
        after(second)[Int(steps[first].thread)] > Int32(truncatingIfNeeded: first)
    }

    /// Whether the thread of the second step had seen the first before that step.
    @inline(__always) func isSeen(_ first: Int, by second: Int) -> Bool {
        before(second)[Int(steps[first].thread)] > Int32(truncatingIfNeeded: first)
    }

    /// Clocks are merged and copied in blocks of this number of threads, each of which is two vectors.
    @inline(__always) private static var block: Int { 8 }
    private typealias Vector = SIMD4<Int32>

    /// Adds what another clock has seen to a clock.
    @inline(__always) private func merge(_ other: UnsafeMutablePointer<Int32>, into clock: UnsafeMutablePointer<Int32>)
    {
        var thread = 0
        repeat {
            let mine = UnsafeMutableRawPointer(clock + thread).assumingMemoryBound(to: Vector.self)
            let others = UnsafeMutableRawPointer(other + thread).assumingMemoryBound(to: Vector.self)
            for part in 0..<2 { mine[part] = pointwiseMax(mine[part], others[part]) }
            thread &+= Self.block
        } while thread < width
    }

    /// Inlined, because a call costs more than copying these few words.
    @inline(__always) private func copy(_ other: UnsafeMutablePointer<Int32>, to clock: UnsafeMutablePointer<Int32>) {
        var thread = 0
        repeat {
            let mine = UnsafeMutableRawPointer(clock + thread).assumingMemoryBound(to: Vector.self)
            let others = UnsafeMutableRawPointer(other + thread).assumingMemoryBound(to: Vector.self)
            for part in 0..<2 { mine[part] = others[part] }
            thread &+= Self.block
        } while thread < width
    }

    /// Makes room for more threads. The width is at least doubled, because widening copies all clocks.
    mutating func widen(toThreads threads: Int) {
        var wider = width
        while wider < threads { wider *= 2 }
        guard wider > width else { return }
        clocks = Self.spread(clocks, from: width, to: wider)
        fronts = Self.spread(fronts, from: width, to: wider)
        width = wider
    }

    /// A copy of the clocks, with room for more threads.
    private static func spread(_ clocks: borrowing Pile<Int32>, from width: Int, to wider: Int) -> Pile<Int32> {
        let spare = 64
        var result = Pile<Int32>(capacity: clocks.count * wider / width + spare)
        for start in stride(from: 0, to: clocks.count, by: width) {
            for thread in 0..<wider { result.append(thread < width ? clocks[start + thread] : 0) }
        }
        return result
    }

    // MARK: - Adding steps

    /// The thread's last step; −1: none.
    @inline(__always) func lastStep(of thread: Int) -> Int {
        thread < lastSteps.count ? Int(lastSteps[thread]) : -1
    }

    /// The number of threads that have taken a step.
    var steppingThreads: Int {
        var count = 0
        for thread in 0..<lastSteps.count where lastSteps[thread] >= 0 { count += 1 }
        return count
    }

    /// The last touch of the thing; −1: none.
    @inline(__always) func head(of thing: Int32) -> Int32 {
        let index = Int(thing - Access.least)
        return index < heads.count ? heads[index] : -1
    }

    /// Adds the step that the thread takes next.
    ///
    /// - Parameter failsAwait: whether the step is a read after which an `await` continues to wait.
    mutating func append(_ thread: Int, _ state: MachineState, failsAwait: Bool = false) {
        let number = steps.count
        let words = state.thread(thread)
        steps.extend(by: 1)
        let step = steps.base + number
        step.pointee = TakenStep(
            thread: UInt16(truncatingIfNeeded: thread), kind: words.operation.kind, status: words.status,
            orders: words.operation.orders, object: words.operation.object, a: words.operation.a, b: words.operation.b,
            time: state.time,
            firstTouch: Int32(truncatingIfNeeded: touches.count),
            previous: Int32(truncatingIfNeeded: lastStep(of: thread)),
            firstWoken: Int32(truncatingIfNeeded: woken.count),
            front: number > 0 ? steps[number - 1].front : -1)
        if words.status == .waiting { step.pointee.isSpurious = !state.isLate(words.operation.b) }
        if step.pointee.isWriteLock {
            step.pointee.isFair = state.object(step.pointee.object).kind == .writersFirstLock
        }
        if thread >= lastSteps.count { lastSteps.fill(to: thread + 1, with: -1) }
        lastSteps[thread] = Int32(truncatingIfNeeded: number)
        clocks.extend(by: 2 &* width)
        see(number)
        if failsAwait { step.pointee.failsAwait = true } else { addTouches(number, state) }
        let clock = after(number)
        copy(before(number), to: clock)
        var touch = touches.base + Int(step.pointee.firstTouch)
        let end = touches.base + touches.count
        while touch < end {
            seeThing(touch, clock)
            touch += 1
        }
        if step.pointee.front >= 0 { merge(fronts.base + Int(step.pointee.front) * width, into: clock) }
        if step.pointee.kind == .exit || step.pointee.kind == .inspect {
            for thread in 0..<lastSteps.count { seeThread(thread, clock) }
        }
        clock[thread] = Int32(truncatingIfNeeded: number + 1)
    }

    /// Adds a step of no thread (`TakenStep.noThread`). It orders nothing.
    mutating func appendStepOfNoThread(at time: Int) {
        let number = steps.count
        let front = number > 0 ? steps[number - 1].front : -1
        steps.append(
            TakenStep(
                thread: TakenStep.noThread, kind: .choose, status: .ended, object: 0, a: 0, b: 0, time: time,
                firstTouch: Int32(truncatingIfNeeded: touches.count), previous: -1,
                firstWoken: Int32(truncatingIfNeeded: woken.count), front: front))
        clocks.extend(by: 2 &* width)
        before(number).update(repeating: 0, count: width)
        after(number).update(repeating: 0, count: width)
    }

    /// Adds a front, because time has passed or no thread could step: orders all earlier steps before all later ones.
    mutating func addFront() {
        // A front has been added since the last step already.
        if let last = lastNumber, steps[last].front != (last > 0 ? steps[last - 1].front : -1) { return }
        fronts.extend(by: width)
        let front = fronts.base + fronts.count - width
        front.update(repeating: 0, count: width)
        for thread in 0..<lastSteps.count { seeThread(thread, front) }
        if let last = lastNumber { steps.base[last].front = Int32(truncatingIfNeeded: fronts.count / width - 1) }
    }

    /// Whether time has passed, or no thread could step, between the first step and the second.
    func isBeforeFront(_ first: Int, of second: Int) -> Bool {
        // The second step's own front may have been added after it.
        let front = second > 0 ? Int(steps[second - 1].front) : -1
        return front >= 0 && fronts[front * width + Int(steps[first].thread)] > Int32(truncatingIfNeeded: first)
    }

    private var lastNumber: Int? { steps.isEmpty ? nil : steps.count - 1 }

    /// Adds what the thread has seen after its last step to the clock.
    private func seeThread(_ thread: Int, _ clock: UnsafeMutablePointer<Int32>) {
        if lastStep(of: thread) >= 0 { merge(after(Int(lastSteps[thread])), into: clock) }
    }

    /// Computes what the thread has seen before the step.
    @inline(__always) private func see(_ number: Int) {
        let step = steps.base + number
        let clock = before(number)
        if step.pointee.previous >= 0 {
            copy(after(Int(step.pointee.previous)), to: clock)
        } else {
            clock.update(repeating: 0, count: width)
        }
        if step.pointee.kind == .start, let starter = starter(of: Int(step.pointee.thread)) {
            merge(after(starter), into: clock)
        }
        if step.pointee.status == .waking, let waker = waker(of: Int(step.pointee.thread), step.pointee.object) {
            merge(after(waker), into: clock)
        }
    }

    /// The step that started the thread. Nil: the thread existed from the beginning.
    private func starter(of thread: Int) -> Int? {
        var touch = head(of: Access.threadNumbers)
        while touch >= 0 {
            let step = Int(touches[Int(touch)].step)
            if steps[step].started == Int32(truncatingIfNeeded: thread) { return step }
            touch = touches[Int(touch)].previous
        }
        return nil
    }

    /// The step that woke the thread from its wait on the condition. Nil: its time limit or a spurious wake-up did.
    private func waker(of thread: Int, _ condition: UInt32) -> Int? {
        var touch = head(of: Int32(truncatingIfNeeded: condition))
        while touch >= 0 {
            let step = Int(touches[Int(touch)].step)
            // The thread began or left its wait with this step, and no thread has woken it since.
            if Int(steps[step].thread) == thread { return nil }
            if hasWoken(step, thread) { return step }
            touch = touches[Int(touch)].previous
        }
        return nil
    }

    private func hasWoken(_ step: Int, _ thread: Int) -> Bool {
        let first = Int(steps[step].firstWoken)
        return (first..<first + Int(steps[step].wokenCount)).contains { Int(woken[$0]) == thread }
    }

    /// Records that the last step has woken the thread.
    mutating func addWoken(_ thread: UInt16) {
        woken.append(thread)
        steps.base[steps.count - 1].wokenCount += 1
    }

    /// Adds what the earlier accesses on which the touch depends have seen to the clock.
    @inline(__always) private func seeThing(_ touch: UnsafeMutablePointer<Touch>, _ clock: UnsafeMutablePointer<Int32>)
    {
        var index = touch.pointee.candidate
        while index >= 0 {
            let earlier = touches.base + Int(index)
            merge(after(Int(earlier.pointee.step)), into: clock)
            // A write has seen all accesses before it.
            if earlier.pointee.access.isWrite { return }
            index = earlier.pointee.previous
        }
    }

    // MARK: - Touching

    /// What the thread's next step touches, in compact form.
    mutating func footprint(of thread: Int, _ state: MachineState) -> Footprint {
        let longest = state.longestFootprint
        if accesses.count < longest { accesses.extend(by: longest - accesses.count) }
        return Footprint(accesses.base, count: state.footprint(of: thread, into: accesses.base))
    }

    /// Adds the touches of a step, which is about to be taken.
    private mutating func addTouches(_ number: Int, _ state: MachineState) {
        let longest = state.longestFootprint
        if accesses.count < longest { accesses.extend(by: longest - accesses.count) }
        let count = state.footprint(of: Int(steps[number].thread), into: accesses.base)
        var access = accesses.base
        let end = access + count
        while access < end {
            addTouch(access.pointee, number, state)
            access += 1
        }
    }

    @inline(__always) private mutating func addTouch(_ access: Access, _ number: Int, _ state: MachineState) {
        let index = Int(access.thing &- Access.least)
        // With room for the next things, which often follow soon.
        if index >= heads.count { heads.fill(to: index &+ 64, with: -1) }
        let head = heads[index]
        let isAfterWrite = head >= 0 && touches[Int(head)].access.isWrite
        let lastWrite = head < 0 || isAfterWrite ? head : touches[Int(head)].lastWrite
        var touch = Touch(
            access: access, step: Int32(truncatingIfNeeded: number), previous: head, lastWrite: lastWrite)
        if access.thing > 0 {
            let object = state.object(UInt32(access.thing))
            touch.kind = object.kind
            touch.owner = object.owner
            touch.count = object.count
            touch.value = object.value
            if object.kind.isReadWriteLock {
                let ruling = state.ruling(on: Int(steps[number].thread))
                touch.letsReadersIn = state.letsReadersIn(UInt32(access.thing))
                touch.readers = ruling.isBlocked ? 0 : ruling.act.readers
            }
        } else if let thread = Access.thread(of: access.thing) {
            touch.value = Int(state.life(of: thread).rawValue)
        }
        heads[index] = Int32(truncatingIfNeeded: touches.count)
        touches.append(touch)
        steps.base[number].touchCount &+= 1
    }

    /// Records that the thread ended with the last step. That counts as a write of the thread's life, so a join of the
    /// thread, for example, depends on this step.
    mutating func endThread(_ state: MachineState) {
        let number = steps.count - 1
        steps.base[number].isLast = true
        addTouch(Access(Access.thread(Int(steps[number].thread)), isWrite: true), number, state)
        let touch = touches.base + touches.count - 1
        let first = Int(steps[number].firstTouch)
        if let own = (first..<touches.count - 1).first(where: { touches[$0].access.thing == touch.pointee.access.thing }
        ) {
            // The step has already touched its own thread's life, because it detached itself. That touch has the life
            // before the step, which is wanted here too.
            touch.pointee.value = touches[own].value
        } else if touch.pointee.value == Int(ThreadLife.ended.rawValue) {
            touch.pointee.value = Int(ThreadLife.alive.rawValue)
        }
        seeThing(touch, after(number))
    }

    // MARK: - The end of the run

    /// The step with which the main thread inspected all memory at its end, or just before the process exited. Nil:
    /// there is none.
    var inspection: Int? {
        var step = lastSteps.count > 0 ? Int(lastSteps[0]) : -1
        if step >= 0 && steps[step].kind == .exit { step = Int(steps[step].previous) }
        return step >= 0 && steps[step].kind == .inspect ? step : nil
    }

    /// Records that the last step has ended the run, although other threads had more to do, because this thread failed
    /// or is in a cycle of waiting threads.
    ///
    /// - Parameter isWoken: whether the thread has been woken from a wait on a condition and now waits for the mutex.
    ///   Then the step that woke it, not its own last step, put it into the cycle.
    /// - Returns: the step with which the thread failed, or that put it into the cycle; −1: none.
    @discardableResult mutating func endRun(becauseOf thread: Int, isWoken: Bool = false) -> Int {
        let last = steps.base + (steps.count - 1)
        if !last.pointee.endsRun {
            last.pointee.endsRun = true
            needed.cut(to: 0)
            needed.fill(to: width, with: 0)
        }
        let own = lastStep(of: thread)
        let step = isWoken && own >= 0 ? waker(of: thread, steps[own].object) ?? own : own
        if step >= 0 { merge(after(step), into: needed.base) }
        return step
    }

    /// Whether the end of the run, which a step ended early, would not have been reached without this step.
    func isNeeded(_ step: Int) -> Bool { needed[Int(steps[step].thread)] > Int32(truncatingIfNeeded: step) }

    /// Whether a step of another thread, other than `end`, happens after this one. Steps that touch nothing, such as a
    /// thread's first, do not count.
    func isFollowed(_ step: Int, before end: Int) -> Bool {
        (0..<lastSteps.count).contains { thread in
            if thread == Int(steps[step].thread) { return false }
            var last = Int(lastSteps[thread])
            while last > step && (last == end || steps[last].touchCount == 0) { last = Int(steps[last].previous) }
            return last > step && isBefore(step, last)
        }
    }

    /// Removes the last step, with its touches, its clocks, and the fronts after it.
    mutating func removeLast() {
        let number = steps.count - 1
        let step = steps.base + number
        for touch in stride(from: touches.count - 1, through: Int(step.pointee.firstTouch), by: -1) {
            heads[Int(touches[touch].access.thing - Access.least)] = touches[touch].previous
        }
        touches.cut(to: Int(step.pointee.firstTouch))
        woken.cut(to: Int(step.pointee.firstWoken))
        if step.pointee.thread != TakenStep.noThread { lastSteps[Int(step.pointee.thread)] = step.pointee.previous }
        clocks.cut(to: 2 * number * width)
        steps.cut(to: number)
        if number > 0 {
            fronts.cut(to: (Int(steps[number - 1].front) + 1) * width)
        } else {
            fronts.cut(to: 0)
        }
    }
}
