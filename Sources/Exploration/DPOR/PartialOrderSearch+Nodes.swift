import Machine

/// Extends an execution by one step after the other, and keeps track of which threads are asleep at each node. When the
/// execution is over, goes back to the last node at which something is left to try.
extension PartialOrderSearch.Memory {
    /// Whether the execution, which is over, belongs to another part of a divided search.
    var isInAnotherPart: Bool {
        mutating get {
            if watch.isEmpty { return false }
            watch.forget(from: trail.steps.count)
            return watch.isElsewhere
        }
    }

    mutating func begin() {
        position = 0
        isFresh = false
        wayIsDue = false
        isRedundant = false
        isCutOff = false
        closers.cut(to: 0)
        firstNew = trail.steps.count
        // A step taken again with another alternative may change what earlier steps race with, so all races are found
        // again.
        firstToReverse = retried >= 0 || asksForEnds ? 0 : firstNew
    }

    /// Records what the last step did beyond what its operation announced.
    ///
    /// - Parameter state: the machine after the step.
    mutating func noteEffects(in state: MachineState) {
        guard isFresh else { return }
        isFresh = false
        let number = trail.steps.count - 1
        let step = trail.steps.base + number
        if step.pointee.thread == TakenStep.noThread { return }
        let kind = step.pointee.kind
        if kind == .spawn && state.threadCount > threadCount {
            step.pointee.started = Int32(truncatingIfNeeded: state.threadCount - 1)
        } else if kind == .signal || kind == .broadcast {
            for index in 0..<waiting.count where !state.isWaiting(Int(waiting[index])) {
                trail.addWoken(waiting[index])
            }
        }
        step.pointee.next = Announcement(of: Int(step.pointee.thread), after: step.pointee.kind, state)
        if state.hasEnded(Int(step.pointee.thread)) {
            trail.endThread(state)
            // Sleeping threads whose step depends on whether this thread has ended wake up.
            wake(overEndOf: Int(step.pointee.thread))
        }
    }

    /// Makes room for new threads. Must be called before the search examines a state.
    @inline(__always) mutating func makeRoom(for state: MachineState) {
        if state.threadCount <= trail.width { return }
        trail.widen(toThreads: state.threadCount)
        threads.widen(toThreads: trail.width)
    }

    private mutating func noteWaiting(_ state: MachineState) {
        waiting.cut(to: 0)
        for thread in 0..<state.threadCount where state.isWaiting(thread) {
            waiting.append(UInt16(truncatingIfNeeded: thread))
        }
    }

    /// If time has passed since the last step, records in the trail that all earlier steps come before all later ones.
    ///
    /// If deadlines may pass at any moment, this is not so: the steps themselves move the clock, and only steps that
    /// use the clock depend on them.
    mutating func notePassing(of time: Int) {
        if mayTimeOut { return }
        let count = trail.steps.count
        // Every step after an inspection of all memory depends on it.
        if count > 0 && (trail.steps[count - 1].time != time || trail.steps[count - 1].kind == .inspect) {
            trail.addFront()
        }
    }

    /// Chooses the thread that takes the next step, at an existing node or at a new one, and adds the step to the
    /// trail. Nil: no execution from here needs to be tried, or the search cannot continue.
    mutating func choose(_ enabled: UnsafeBufferPointer<UInt16>, _ state: MachineState) -> UInt16? {
        let depth = trail.steps.count
        if !watch.isEmpty {
            watch.forget(from: depth)
            forcedLeaves.forget(from: depth)
        }
        if nodes.count == depth { addNode(enabled, state) }
        guard let thread = pick(depth) else {
            isRedundant = true
            return nil
        }
        if !watch.isEmpty { watch.note(depth, of: Int(thread), state) }
        let failsAwait = threads.failsAwait(Int(thread), at: depth)
        // No step that a tree schedules is blocked, or a read after which an `await` continues to wait.
        if !threads.isEnabled(Int(thread), at: depth) || (failsAwait && nodes[depth].tree >= 0) {
            hasMisjudged = true
            return nil
        }
        trail.append(Int(thread), state, failsAwait: failsAwait)
        let step = trail.steps.base + depth
        if nodes[depth].holdsThreadBack && step.pointee.isSpurious && nodes[depth].tree < 0 { forcedLeaves.note(depth) }
        step.pointee.ways = Int32(truncatingIfNeeded: state.alternatives(of: Int(thread)))
        takeBranch(depth, step)
        letOthersLeave(depth, state)
        sleepOn(depth, state)
        isFresh = true
        threadCount = state.threadCount
        if step.pointee.kind == .signal || step.pointee.kind == .broadcast { noteWaiting(state) }
        if step.pointee.kind.asksForEnd { asksForEnds = true }
        wayIsDue = step.pointee.ways > 1
        position = depth &+ 1
        return thread
    }

    private mutating func addNode(_ enabled: UnsafeBufferPointer<UInt16>, _ state: MachineState) {
        let row = addNode()
        // The element stays in registers as long as the threads belong to it.
        var index = 0
        var element = row[0]
        for thread in enabled {
            if !watch.isEmpty && watch.forbids(Int(thread), state) {
                nodes.base[nodes.count - 1].holdsThreadBack = true
                continue
            }
            if Int(thread) >> 6 != index {
                row[index] = element
                index = Int(thread) >> 6
                element = row[index]
            }
            let bit = NodeThreads.bit(Int(thread))
            element.enabled |= bit
            if state.touchesNothing(Int(thread)) { element.free |= bit }
            if state.failsAwait(Int(thread)) { element.failing |= bit }
            guard state.isWaiting(Int(thread)) else { continue }
            element.leaving |= bit
            if !state.isLate(state.operation(of: Int(thread)).b) { element.spurious |= bit }
        }
        row[index] = element
    }

    /// Adds a node at which no thread can step.
    @inline(__always) private mutating func addNode() -> NodeThreadTable.Row {
        nodes.append(
            Node(
                firstSleeper: nextFirstSleeper, endOfSleepers: Int32(truncatingIfNeeded: sleepers.count), tree: nextTree
            ))
        nextTree = -1
        return threads.addRow()
    }

    /// The thread that steps at the node. Nil: no execution from here needs to be tried.
    @inline(__always) private mutating func pick(_ depth: Int) -> UInt16? {
        if retried >= 0 { return UInt16(retried) }
        let tree = nodes[depth].tree
        if tree >= 0, let planned = pickInTree(depth) { return planned }
        if depth >= Self.longestUnfair, let next = nextInTurn(depth) { return next }
        if let free = threads.first(at: depth, in: { $0.enabled & ~$0.sleeping & $0.free }) { return free }
        let isNeeded = { (all: NodeThreads) in all.enabled & ~all.spurious & ~all.failing }
        if let needed = threads.first(at: depth, in: { isNeeded($0) & ~$0.sleeping }) { return needed }
        // A read after which its `await` continues to wait would be repeated after each change, so it is taken only
        // when nothing else can be.
        if threads.first(at: depth, in: isNeeded) != nil { return nil }
        if let failing = threads.first(at: depth, in: { $0.failing & ~$0.sleeping }) { return failing }
        // What is left are waits that could end without a signal, but need not. A step of no thread decides whether one
        // of them does. If the part's orders hold a thread back, one of them must: otherwise that thread would never
        // step, and the execution would not be in this part.
        let isDecided =
            nodes[depth].holdsThreadBack || (depth > 0 && trail.steps.base[depth - 1].thread == TakenStep.noThread)
        return isDecided ? threads.first(at: depth, in: { $0.enabled & ~$0.sleeping }) : nil
    }

    /// An execution of more steps than this may be endless only because one thread repeats a loop that another thread
    /// would end. From this step on, the threads therefore take turns, wherever the search has not planned an order. An
    /// execution that is endless nevertheless is in a fair cycle, which the driver finds.
    static let longestUnfair = 2048

    /// The next thread in turn. Nil: no thread is left that is awake and can do more than read in an `await` that
    /// continues to wait, or leave a wait without a signal.
    private func nextInTurn(_ depth: Int) -> UInt16? {
        let last = trail.steps.base[depth - 1].thread
        guard last != TakenStep.noThread else { return nil }
        let able = { (all: NodeThreads) in all.enabled & ~all.spurious & ~all.failing & ~all.sleeping }
        return threads.first(after: last, at: depth, in: able) ?? threads.first(at: depth, in: able)
    }

    /// The thread of the first branch of the node's tree. Drops branches that begin with the step of a sleeping thread,
    /// because their executions are known.
    private mutating func pickInTree(_ depth: Int) -> UInt16? {
        while true {
            let tree = nodes[depth].tree
            if tree < 0 { return nil }
            let branch = trees[tree]
            if !threads.isSleeping(Int(branch.thread), at: depth) { return branch.thread }
            nodes.base[depth].tree = branch.sibling
            trees.freeAll(branch.child)
            trees.free(tree)
        }
    }

    /// Sets the step's alternative. If the step is the first branch of the node's tree, also removes that branch, and
    /// makes its children the next node's tree.
    private mutating func takeBranch(_ depth: Int, _ step: UnsafeMutablePointer<TakenStep>) {
        let tree = nodes[depth].tree
        nextTree = -1
        if retried >= 0 {
            step.pointee.way = retriedWay
            step.pointee.endsPlan = retriedEndsPlan
            retried = Self.retriesNothing
            return
        }
        step.pointee.way = firstUntried(depth, Int(step.pointee.thread), from: 0)
        guard tree >= 0 else { return }
        let branch = trees[tree]
        nodes.base[depth].tree = branch.sibling
        step.pointee.endsPlan = branch.child < 0 && !branch.isOpen
        if branch.way >= 0 {
            step.pointee.way = min(branch.way, step.pointee.ways - 1)
            step.pointee.hasFixedWay = true
        }
        nextTree = branch.child
        trees.free(tree)
    }

    /// Schedules at this node that threads leave their waits without a signal, if that depends on the node's step: the
    /// step may prevent it, now or later.
    @inline(__always) private mutating func letOthersLeave(_ depth: Int, _ state: MachineState) {
        var index = 0
        repeat {
            if threads[depth][index].leaving != 0 { letOthersLeave(depth, among: index, state) }
            index &+= 1
        } while index < threads.rowLength
    }

    /// - Parameter index: the threads' element in the row.
    @inline(never) private mutating func letOthersLeave(_ depth: Int, among index: Int, _ state: MachineState) {
        let element = threads[depth][index]
        var others = untried(element.leaving & ~element.sleeping, index, at: depth)
        while others != 0 {
            tryLeaving(index << 6 + others.trailingZeroBitCount, depth, state)
            others &= others - 1
        }
    }

    /// The threads of the set that neither take the node's step nor begin a branch of its tree.
    ///
    /// - Parameter index: the element in the row to which the set belongs.
    mutating func untried(_ set: UInt64, _ index: Int, at depth: Int) -> UInt64 {
        var others = set
        func leaveOut(_ thread: UInt16) {
            if Int(thread) >> 6 == index { others &= ~NodeThreads.bit(Int(thread)) }
        }
        leaveOut(trail.steps[depth].thread)
        var branch = nodes[depth].tree
        while branch >= 0 {
            leaveOut(trees[branch].thread)
            branch = trees[branch].sibling
        }
        return others
    }

    /// Schedules that the thread leaves its wait at this node, if that depends on the node's step.
    private mutating func tryLeaving(_ thread: Int, _ depth: Int, _ state: MachineState) {
        let step = trail.steps[depth]
        let footprint = trail.footprint(of: thread, state)
        var branch = footprint.branch(UInt16(thread), way: -1)
        branch.isOptional = threads.isSpurious(thread, at: depth)
        branch.isOpen = true
        let touches = Int(step.firstTouch)..<Int(step.firstTouch + step.touchCount)
        let depends = touches.contains {
            branch.dependsOnAll || branch.conflicts(with: trail.touches[$0].access)
        }
        if depends { append(trees.make(branch), toTreeAt: depth) }
    }

    /// The first alternative from `first` on with which the thread's step has not been tried, neither at the node nor
    /// in an earlier equivalent execution. The step may have fewer alternatives.
    @inline(__always) private func firstUntried(_ depth: Int, _ thread: Int, from first: Int32) -> Int32 {
        guard threads.isDrowsy(thread, at: depth) else { return first }
        let tried = triedWays(nodes[depth], thread)
        var way = first
        while way < SleepingAccess.mostWays && tried & 1 << UInt64(way) != 0 { way += 1 }
        return way
    }

    /// The alternatives with which a drowsy thread's step has been tried, one bit each.
    @inline(__always) func triedWays(_ node: Node, _ thread: Int) -> UInt64 {
        var ways: UInt64 = 0
        for index in Int(node.firstSleeper)..<Int(node.endOfSleepers)
        where Int(sleepers[index].thread) == thread && sleepers[index].thing != Access.cycle {
            ways |= sleepers[index].ways
        }
        return ways
    }

    // MARK: - Sleep

    /// Threads asleep at this node remain asleep at the next if their step is independent of the one taken.
    ///
    /// When a sequence has been scheduled, no thread slept whose step was independent of all its steps. So at its end
    /// no thread sleeps any more, except threads that would leave a wait without a signal (`isNotNeeded`). But what a step
    /// depends on is partly an estimate when it is scheduled, which may be more than it really does: the threads that
    /// the sequence should have woken are therefore woken at its end. Otherwise, what has to come before a sleeping
    /// thread's step might be tried neither here nor where that step was tried.
    private mutating func sleepOn(_ depth: Int, _ state: MachineState) {
        let node = nodes[depth]
        nextFirstSleeper = node.endOfSleepers
        sleepers.cut(to: Int(node.endOfSleepers))
        let step = trail.steps.base + depth
        if hasClosedCycles { findClosers(among: node, state) }
        if !threads.hasSleepers(at: depth) || step.pointee.touchesWorld { return threads.wakeUpAll() }
        threads.passSleepOn(from: depth)
        if step.pointee.endsPlan { threads.wakeUpNeeded(at: depth) }
        threads.wakeUp(Int(step.pointee.thread))
        for index in Int(node.firstSleeper)..<Int(node.endOfSleepers) where conflicts(sleepers[index], step) {
            threads.wakeUp(Int(sleepers[index].thread))
        }
        for index in Int(node.firstSleeper)..<Int(node.endOfSleepers) {
            let sleeper = sleepers[index]
            if threads.sleepsNext(Int(sleeper.thread)) { sleepers.append(sleeper) }
        }
    }

    @inline(__always) private func conflicts(_ sleeper: SleepingAccess, _ step: UnsafeMutablePointer<TakenStep>) -> Bool
    {
        if sleeper.thing == Access.world { return true }
        if sleeper.thing == Access.end { return step.pointee.touchCount > 0 }
        for index in Int(step.pointee.firstTouch)..<Int(step.pointee.firstTouch + step.pointee.touchCount) {
            let access = trail.touches[index].access
            if access.thing == sleeper.thing && (access.isWrite || sleeper.isWrite) { return true }
        }
        return false
    }

    /// Finds the sleeping threads whose step would close a cycle of waiting threads at this node, and so end the run.
    /// Their entries for `Access.cycle` become entries for `Access.end`.
    private mutating func findClosers(among node: Node, _ state: MachineState) {
        for index in Int(node.firstSleeper)..<Int(node.endOfSleepers) where sleepers[index].thing == Access.cycle {
            guard let next = Announcement(word: sleepers[index].ways).operation,
                state.closesCycle(by: Int(sleepers[index].thread), announcing: next, &scratch)
            else { continue }
            sleepers.base[index].thing = Access.end
            sleepers.base[index].ways = 0
        }
    }

    /// A thread has ended. Wakes the sleeping threads whose step depends on that, or would end the run.
    private mutating func wake(overEndOf thread: Int) {
        for index in Int(nextFirstSleeper)..<sleepers.count {
            let thing = sleepers[index].thing
            guard thing == Access.thread(thread) || thing == Access.end else { continue }
            threads.wakeUp(Int(sleepers[index].thread))
        }
    }

    // MARK: - Steps of no thread

    /// Adds the step of no thread that decides, when nothing else can happen, whether a wait ends without a signal:
    /// alternative 0 if none does, 1 if one does.
    mutating func addStepOfNoThread(_ state: MachineState) {
        let depth = trail.steps.count
        if nodes.count == depth { _ = addNode() }
        trail.appendStepOfNoThread(at: state.time)
        // If all threads that could leave their wait are asleep, letting one leave shows nothing new.
        let canEnd = (0..<state.threadCount).contains {
            state.isWaiting($0) && state.isEnabled($0) && !threads.isSleeping($0, at: depth)
        }
        trail.steps.base[depth].ways = canEnd ? 2 : 1
        if retried == Self.retriesNoThread {
            trail.steps.base[depth].way = retriedWay
            retried = Self.retriesNothing
        }
        isFresh = true
        let node = nodes[depth]
        nextTree = node.tree
        nodes.base[depth].tree = -1
        threads.passSleepOn(from: depth)
        // If no wait ends now, time passes or the run ends. To leave a wait after that is another step than before.
        if trail.steps[depth].way == 0 {
            for thread in 0..<state.threadCount where state.isWaiting(thread) { threads.wakeUp(thread) }
        }
        nextFirstSleeper = node.endOfSleepers
        sleepers.cut(to: Int(node.endOfSleepers))
        for index in Int(node.firstSleeper)..<Int(node.endOfSleepers)
        where threads.sleepsNext(Int(sleepers[index].thread)) { sleepers.append(sleepers[index]) }
    }

    // MARK: - Going back

    /// Goes back to the last node with something left to try. False: there is none.
    mutating func backtrack() -> Bool {
        trees.freeAll(nextTree)
        nextTree = -1
        while trail.steps.count > 0 {
            let depth = trail.steps.count - 1
            let step = trail.steps.base + depth
            cutNodes(to: depth + 1)
            if tryAnotherWay(depth, step) { return true }
            if step.pointee.thread != TakenStep.noThread { putToSleep(depth, step) }
            trail.removeLast()
            if nodes[depth].tree >= 0 { return true }
        }
        return false
    }

    private mutating func cutNodes(to count: Int) {
        while nodes.count > count {
            trees.freeAll(nodes[nodes.count - 1].tree)
            nodes.cut(to: nodes.count - 1)
        }
        threads.cut(toRows: nodes.count)
    }

    /// Undoes the node's step if it has an alternative left to try, which is taken next. Returns false if it has none.
    @inline(__always) private mutating func tryAnotherWay(_ depth: Int, _ last: UnsafeMutablePointer<TakenStep>) -> Bool
    {
        if last.pointee.ways == 1 || last.pointee.hasFixedWay { return false }
        let step = last.pointee
        let isOfNoThread = step.thread == TakenStep.noThread
        let way = isOfNoThread ? step.way + 1 : firstUntried(depth, Int(step.thread), from: step.way + 1)
        if way >= step.ways { return false }
        sleepers.cut(to: Int(nodes[depth].endOfSleepers))
        if step.endsRun || (hasClosedCycles && step.next.mayCloseCycle) { nodes.base[depth].mayEnd = true }
        trail.removeLast()
        retried = isOfNoThread ? Self.retriesNoThread : Int32(step.thread)
        retriedWay = way
        retriedEndsPlan = step.endsPlan
        return true
    }

    /// Puts the thread of the node's step to sleep, because every execution that begins with the step has been tried.
    /// If the step's alternative was fixed, only those with that alternative have been tried: the thread becomes
    /// drowsy.
    private mutating func putToSleep(_ depth: Int, _ last: UnsafeMutablePointer<TakenStep>) {
        let node = nodes.base + depth
        let thread = Int(last.pointee.thread)
        sleepers.cut(to: Int(node.pointee.endOfSleepers))
        let mayEnd = last.pointee.endsRun || node.pointee.mayEnd
        node.pointee.mayEnd = false
        var ways: UInt64 = 0
        if last.pointee.hasFixedWay && last.pointee.ways > 1 {
            // A step with more alternatives than a word has bits is not recorded, and may be tried again.
            if last.pointee.ways > SleepingAccess.mostWays { return }
            ways = triedWays(node.pointee, thread) | 1 << UInt64(last.pointee.way)
        }
        if ways == 0 || ways.nonzeroBitCount == Int(last.pointee.ways) {
            threads[depth, thread].pointee.sleeping |= NodeThreads.bit(thread)
        } else {
            threads[depth, thread].pointee.drowsy |= NodeThreads.bit(thread)
        }
        if last.pointee.touchCount == 0 && ways != 0 {
            sleepers.append(SleepingAccess(thread: last.pointee.thread, isWrite: false, thing: 0, ways: ways))
        }
        for index in Int(last.pointee.firstTouch)..<Int(last.pointee.firstTouch + last.pointee.touchCount) {
            let access = trail.touches[index].access
            sleepers.append(
                SleepingAccess(thread: last.pointee.thread, isWrite: access.isWrite, thing: access.thing, ways: ways))
        }
        // With another alternative, the step might be the thread's last.
        if last.pointee.ways > 1 && !last.pointee.isLast {
            sleepers.append(
                SleepingAccess(
                    thread: last.pointee.thread, isWrite: true, thing: Access.thread(thread), ways: ways))
        }
        // The step would end the run in each state in which the other threads of a cycle already wait.
        if hasClosedCycles && last.pointee.next.mayCloseCycle {
            let isSure = ways == 0
            sleepers.append(
                SleepingAccess(
                    thread: last.pointee.thread, isWrite: true, thing: isSure ? Access.cycle : Access.end,
                    ways: isSure ? last.pointee.next.word : ways))
        }
        // The step may end the run, so it depends on every other step.
        if mayEnd {
            sleepers.append(
                SleepingAccess(thread: last.pointee.thread, isWrite: true, thing: Access.end, ways: ways))
        }
        node.pointee.endOfSleepers = Int32(truncatingIfNeeded: sleepers.count)
    }

    // MARK: - States to go back to

    /// The number under which the subject should keep the present state. Nil: it should not keep it.
    var numberToKeep: Int? {
        mutating get {
            let depth = trail.steps.count
            if depth > 0 && trail.steps[depth - 1].thread == TakenStep.noThread { return nil }
            while kept.count > 0 && kept[kept.count - 1] > depth { kept.cut(to: kept.count - 1) }
            let distance = max(Self.keepingDistance, depth / Self.keptInDepth)
            if kept.count > 0 && depth - Int(kept[kept.count - 1]) < distance { return nil }
            kept.append(Int32(truncatingIfNeeded: depth))
            return kept.count - 1
        }
    }

    /// The minimum number of steps between kept states: keeping a state costs about as much as taking these steps.
    private static let keepingDistance = 4
    /// At depth d, states are kept at a distance of at least d ÷ 512. The number of kept states thus grows with the
    /// logarithm of an execution's length.
    private static let keptInDepth = 512

    /// The number of the last state kept before the end of the trail, from which the execution continues. Nil: there is
    /// none.
    mutating func goBack() -> Int? {
        let depth = trail.steps.count
        while kept.count > 0 && kept[kept.count - 1] > depth { kept.cut(to: kept.count - 1) }
        guard kept.count > 0 else { return nil }
        position = Int(kept[kept.count - 1])
        return kept.count - 1
    }
}
