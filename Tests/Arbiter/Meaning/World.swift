/// A program in a state, which can take steps. What each step means follows docs/language.md and docs/semantics.md.
struct World {
    typealias Field = Layout.Field
    typealias Phase = Layout.Phase

    let program: Judged
    let rules: Rulebook
    var words: [Int]
    /// How the run has ended. Nil: it continues.
    var end: End?
    /// Whether the last step's thread did in it what it loops for.
    var hasProgressed = false

    var layout: Layout { program.layout }

    // MARK: - Reading a state

    func field(_ thread: Int, _ field: Int) -> Int { words[layout.threads[thread] + field] }
    mutating func set(_ thread: Int, _ field: Int, _ value: Int) { words[layout.threads[thread] + field] = value }

    func step(_ thread: Int) -> Code.Step {
        guard case .step(let step) = program.codes[thread].instructions[field(thread, Field.position)] else {
            preconditionFailure("between two steps")
        }
        return step
    }

    /// The thread's top value, or one below it.
    func top(_ thread: Int, _ below: Int = 0) -> Int {
        words[frame(thread) + program.codes[thread].variables + field(thread, Field.depth) - 1 - below]
    }

    private func frame(_ thread: Int) -> Int { layout.threads[thread] + Field.frame }

    /// The object that the thread's next step concerns.
    func object(_ thread: Int, _ step: Code.Step) -> Int {
        step.isElement ? step.object + top(thread, values(step.kind)) : step.object
    }

    private func values(_ kind: Code.Step.Kind) -> Int {
        switch kind {
        case .write, .store, .update: 1
        case .compareExchange, .weakCompareExchange: 2
        default: 0
        }
    }

    func isLate(_ thread: Int) -> Bool { field(thread, Field.remaining) == 0 }

    private func isFree(_ mutex: Int) -> Bool { words[layout.owner(mutex)] == 0 }
    private func isHeld(_ mutex: Int, by thread: Int) -> Bool { words[layout.owner(mutex)] == thread + 1 }
    /// A writer that has queued up keeps readers that come later out.
    func letsReadersIn(_ lock: Int) -> Bool { isFree(lock) && writersInLine(lock).isEmpty }
    private func writersInLine(_ lock: Int) -> [Int] {
        (0..<layout.threadCount).filter { field($0, Field.isQueued) == 1 && object($0, step($0)) == lock }
    }

    /// Whether a writer that does not get the lock at once stands in line from now on, which is a step of its own.
    func canQueue(_ thread: Int, _ step: Code.Step, _ lock: Int) -> Bool {
        guard program.names.objects[lock].kind == .writersFirstLock, field(thread, Field.isQueued) == 0 else {
            return false
        }
        if case .tryWrite = step.kind { return false }
        return true
    }

    private func readerCount(_ lock: Int) -> Int {
        (0..<layout.threadCount).reduce(0) { $0 + words[layout.hold(lock, $1)] }
    }

    /// The threads that nothing but a signal can wake, in the order in which the rules name them.
    func waiters(_ condition: Int) -> [Int] {
        let all = (0..<layout.threadCount).filter {
            field($0, Field.phase) == Phase.waiting && object($0, step($0)) == condition
        }
        return rules.isFirstWoken ? all.sorted { field($0, Field.rank) < field($1, Field.rank) } : all
    }

    // MARK: - What can happen

    enum Ability: Equatable {
        case none
        /// Only by ending its wait on a condition without a reason.
        case spurious
        case ways(Int)
    }

    func isWaiting(_ thread: Int) -> Bool { field(thread, Field.phase) == Phase.waiting }

    func ability(_ thread: Int) -> Ability {
        switch field(thread, Field.phase) {
        case Phase.ready: readyAbility(thread)
        case Phase.waiting:
            isLate(thread)
                ? .ways(rules.isLateAnytime && words[layout.spurious] > 0 ? 2 : 1)
                : words[layout.spurious] > 0 ? .spurious : .none
        case Phase.waking: isFree(program.names.mutex(of: object(thread, step(thread)))) ? .ways(1) : .none
        default: .none
        }
    }

    private func readyAbility(_ thread: Int) -> Ability {
        let step = step(thread)
        let object = object(thread, step)
        func when(_ isPossible: Bool) -> Ability { isPossible ? .ways(1) : .none }
        func mayRelock() -> Bool {
            isHeld(object, by: thread) && program.names.objects[object].kind != .mutex
        }
        switch step.kind {
        case .lock: return when(isFree(object) || mayRelock())
        case .lockFor: return when(isFree(object) || mayRelock() || isLate(thread))
        case .take: return when(words[layout.value(object)] > 0)
        case .takeFor: return when(words[layout.value(object)] > 0 || isLate(thread))
        case .readLock: return when(letsReadersIn(object) || isHeld(object, by: thread))
        case .readFor: return when(letsReadersIn(object) || isHeld(object, by: thread) || isLate(thread))
        case .writeLock:
            return when(
                isFree(object) && readerCount(object) == 0 || isHeld(object, by: thread)
                    || canQueue(thread, step, object))
        case .writeFor:
            if isFree(object) && readerCount(object) == 0 || isHeld(object, by: thread) { return .ways(1) }
            let mayBoth = rules.isLateAnytime && canQueue(thread, step, object)
            return mayBoth ? .ways(2) : when(isLate(thread) || canQueue(thread, step, object))
        case .weakCompareExchange:
            let mayFail = words[layout.spurious] > 0 && words[layout.value(object)] == top(thread, 1)
            return .ways(mayFail ? 2 : 1)
        case .sleep: return when(isLate(thread))
        case .join:
            let isSettled = field(object, Field.phase) == Phase.ended || field(object, Field.fate) != 0
            return when(isSettled || object == thread || field(object, Field.phase) == Phase.unborn)
        case .read, .load, .permits:
            return when(!(field(thread, Field.isRenewed) == 1 && field(thread, Field.isStirred) == 0))
        case .choose(let count): return .ways(count)
        case .signal: return .ways(rules.isFirstWoken ? 1 : max(1, waiters(object).count))
        default: return .ways(1)
        }
    }

    /// Whether the step, which has several ways, is a choice that a fair scheduler makes differently at some time: not if the other way
    /// is that a limit passes, or that something fails for no reason.
    func isChoice(_ thread: Int) -> Bool {
        if field(thread, Field.phase) == Phase.waiting { return false }
        switch step(thread).kind {
        case .writeFor, .weakCompareExchange: return false
        default: return true
        }
    }

    /// Whether the threads wait for each other in a cycle, so that none of them ever continues.
    var hasCycleOfThreads: Bool {
        (0..<layout.threadCount).contains { thread in
            var seen: Set<Int> = []
            return reaches(thread, thread, &seen)
        }
    }

    private func reaches(_ thread: Int, _ goal: Int, _ seen: inout Set<Int>) -> Bool {
        guard ability(thread) == .none else { return false }
        for other in blockers(of: thread) {
            if other == goal { return true }
            if seen.insert(other).inserted && reaches(other, goal, &seen) { return true }
        }
        return false
    }

    /// The threads for which this one waits without a limit.
    private func blockers(of thread: Int) -> [Int] {
        let phase = field(thread, Field.phase)
        guard phase == Phase.ready || phase == Phase.waking else { return [] }
        let step = step(thread)
        let object = object(thread, step)
        func owner(_ object: Int) -> [Int] {
            let owner = words[layout.owner(object)]
            return owner > 0 ? [owner - 1] : []
        }
        if phase == Phase.waking { return owner(program.names.mutex(of: object)) }
        switch step.kind {
        case .lock: return owner(object)
        case .readLock: return owner(object) + writersInLine(object)
        case .writeLock:
            return owner(object) + (0..<layout.threadCount).filter { words[layout.hold(object, $0)] > 0 }
        case .join: return [object]
        default: return []
        }
    }

    // MARK: - Time

    /// Whether the thread waits for time, and cannot step for that reason yet.
    func waitsForTime(_ thread: Int) -> Bool { field(thread, Field.remaining) > 0 }

    /// Lets time pass to the next limit. False: no thread has one.
    mutating func passTime() -> Bool {
        let times = (0..<layout.threadCount).map { field($0, Field.remaining) }
        guard let next = times.filter({ $0 > 0 }).min() else { return false }
        for (thread, time) in times.enumerated() where time > 0 { set(thread, Field.remaining, time - next) }
        return true
    }

    // MARK: - Local code

    mutating func push(_ thread: Int, _ value: Int) {
        let depth = field(thread, Field.depth)
        precondition(depth < program.codes[thread].depth, "the stack is too small")
        words[frame(thread) + program.codes[thread].variables + depth] = value
        set(thread, Field.depth, depth + 1)
    }

    @discardableResult mutating func pop(_ thread: Int) -> Int {
        let depth = field(thread, Field.depth) - 1
        let place = frame(thread) + program.codes[thread].variables + depth
        let value = words[place]
        words[place] = 0
        set(thread, Field.depth, depth)
        return value
    }

    /// Runs what is no step, up to the next step or the end.
    mutating func runLocalCode(_ thread: Int) {
        var patience = 100_000
        while end == nil {
            patience -= 1
            if patience == 0 { return finish(.livelock) }
            let position = field(thread, Field.position)
            var next = position + 1
            switch program.codes[thread].instructions[position] {
            case .step(let step):
                set(thread, Field.remaining, step.limit.map { rules.isLateAnytime ? 0 : $0 } ?? -1)
                return
            case .push(let value): push(thread, value)
            case .get(let slot): push(thread, words[frame(thread) + slot])
            case .set(let slot): words[frame(thread) + slot] = pop(thread)
            case .forget(let slots): for slot in slots { words[frame(thread) + slot] = 0 }
            case .binary(let sign):
                let right = pop(thread)
                push(thread, Self.value(sign, pop(thread), right))
            case .not: push(thread, 1 - pop(thread))
            case .pop: pop(thread)
            case .jump(let target): next = target
            case .jumpIfFalse(let target): if pop(thread) == 0 { next = target }
            case .jumpKeeping(let target, let kept):
                if (top(thread) != 0) == kept { next = target } else { pop(thread) }
            case .assert(let number): if pop(thread) == 0 { return finish(.assertion, [.assert(number)]) }
            case .progress: hasProgressed = true
            case .beginAwait:
                set(thread, Field.watched, 0)
                set(thread, Field.isStirred, 0)
            case .repeatAwait(let again):
                if pop(thread) == 0 {
                    set(thread, Field.isRenewed, 1)
                    next = again
                } else {
                    set(thread, Field.watched, 0)
                    set(thread, Field.isStirred, 0)
                }
            case .review: review()
            case .end:
                set(thread, Field.phase, Phase.ended)
                set(thread, Field.position, 0)
                return
            }
            set(thread, Field.position, next)
        }
    }

    static func value(_ sign: Expression.Sign, _ left: Int, _ right: Int) -> Int {
        switch sign {
        case .add: left + right
        case .subtract: left - right
        case .multiply: left * right
        case .equal: left == right ? 1 : 0
        case .notEqual: left != right ? 1 : 0
        case .less: left < right ? 1 : 0
        case .lessOrEqual: left <= right ? 1 : 0
        case .greater: left > right ? 1 : 0
        case .greaterOrEqual: left >= right ? 1 : 0
        }
    }

    mutating func finish(_ kind: End.Kind, _ failures: Set<Failure> = [], leavesThreads: Bool = false) {
        if end == nil { end = End(kind, memory, failures, leavesThreads: leavesThreads) }
    }

    /// The values of all variables, in the order of declaration.
    var memory: [Int] { program.variables.map { words[layout.value($0)] } }
}
