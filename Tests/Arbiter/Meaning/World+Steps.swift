/// What steps do.
extension World {
    private var layout: Layout { program.layout }

    /// The thread takes its step, and runs to the next one.
    mutating func take(_ thread: Int, way: Int) {
        hasProgressed = false
        let step = step(thread)
        let object = object(thread, step)
        switch field(thread, Field.phase) {
        case Phase.waiting:
            // The wait ends without a signal. The mutex is another step.
            if !isLate(thread) { words[layout.spurious] -= 1 }
            wake(thread, bySignal: isLate(thread) ? 0 : 1, object)
            return settle()
        case Phase.waking:
            let mutex = program.names.mutex(of: object)
            words[layout.owner(mutex)] = thread + 1
            words[layout.count(mutex)] = 1
            learn(thread, words[layout.published(mutex)])
            set(thread, Field.phase, Phase.ready)
            let isWoken = field(thread, Field.isWoken)
            set(thread, Field.isWoken, 0)
            if case .waitFor = step.kind { return complete(thread, step, isWoken) }
            return complete(thread, step, nil)
        default: perform(thread, step, object, way)
        }
    }

    /// The step is done: its arguments make way for its result.
    private mutating func complete(_ thread: Int, _ step: Code.Step, _ result: Int?) {
        if step.isElement { pop(thread) }
        set(thread, Field.remaining, -1)
        set(thread, Field.position, field(thread, Field.position) + 1)
        if let result { push(thread, result) }
        runLocalCode(thread)
        settle()
    }

    private mutating func settle() {
        if end == nil && hasCycleOfThreads { finish(.deadlock) }
    }

    private mutating func perform(_ thread: Int, _ step: Code.Step, _ object: Int, _ way: Int) {
        switch step.kind {
        case .start, .yield, .sleep, .inspect: complete(thread, step, nil)
        case .exit: exit()
        case .choose: complete(thread, step, way)
        case .read, .load, .permits, .write, .store, .update, .compareExchange: remember(thread, step, object)
        case .lock, .tryLock, .lockFor, .unlock: lock(thread, step, object)
        case .take, .tryTake, .takeFor:
            let isThere = words[layout.value(object)] > 0
            if isThere {
                words[layout.value(object)] -= 1
                learn(thread, words[layout.published(object)])
                stir(object)
            }
            complete(thread, step, step.kind == .take ? nil : isThere ? 1 : 0)
        case .give:
            words[layout.value(object)] += 1
            words[layout.published(object)] |= field(thread, Field.knowledge)
            stir(object)
            complete(thread, step, nil)
        case .wait, .waitFor: wait(thread, object)
        case .signal:
            let waiters = waiters(object)
            if !waiters.isEmpty { wake(waiters[way], bySignal: 1, object) }
            complete(thread, step, nil)
        case .broadcast:
            for waiter in waiters(object) { wake(waiter, bySignal: 1, object) }
            complete(thread, step, nil)
        case .readLock, .tryRead, .readFor, .writeLock, .tryWrite, .writeFor, .unlockShared:
            share(thread, step, object)
        case .spawn:
            guard field(object, Field.phase) == Phase.unborn else { return finish(.error) }
            set(object, Field.phase, Phase.ready)
            set(object, Field.knowledge, field(thread, Field.knowledge))
            complete(thread, step, nil)
        case .join:
            if field(object, Field.phase) == Phase.unborn { return finish(.error) }
            if object == thread || field(object, Field.fate) != 0 { return finish(.misuse) }
            set(object, Field.fate, 1)
            learn(thread, field(object, Field.knowledge))
            complete(thread, step, nil)
        case .detach:
            if field(object, Field.phase) == Phase.unborn { return finish(.error) }
            if field(object, Field.fate) != 0 { return finish(.misuse) }
            set(object, Field.fate, 2)
            complete(thread, step, nil)
        }
    }

    private mutating func exit() {
        let isForgotten = (1..<layout.threadCount).contains {
            field($0, Field.phase) != Phase.unborn && field($0, Field.fate) == 0
        }
        finish(isForgotten ? .leak : words[layout.hasRaced] == 1 ? .race : .completed)
    }

    // MARK: - Memory

    private mutating func remember(_ thread: Int, _ step: Code.Step, _ object: Int) {
        let value = layout.value(object)
        let old = words[value]
        if step.isWatching { watch(thread, object) }
        switch step.kind {
        case .read:
            access(thread, object, writes: false)
            complete(thread, step, old)
        case .load:
            learn(thread, words[layout.published(object)])
            complete(thread, step, old)
        case .permits: complete(thread, step, old)
        case .write, .store:
            let new = pop(thread)
            if step.kind == .write {
                access(thread, object, writes: true)
            } else {
                words[layout.published(object)] = field(thread, Field.knowledge)
            }
            change(object, new)
            complete(thread, step, nil)
        case .update(let update):
            let operand = pop(thread)
            learn(thread, words[layout.published(object)])
            words[layout.published(object)] = field(thread, Field.knowledge)
            change(object, Self.value(update, old, operand))
            complete(thread, step, old)
        case .compareExchange:
            let new = pop(thread)
            let expected = pop(thread)
            learn(thread, words[layout.published(object)])
            if old == expected {
                words[layout.published(object)] = field(thread, Field.knowledge)
                change(object, new)
            }
            complete(thread, step, old == expected ? 1 : 0)
        default: preconditionFailure("not about memory")
        }
    }

    private static func value(_ update: Expression.Update, _ old: Int, _ operand: Int) -> Int {
        switch update {
        case .exchange: operand
        case .add: old + operand
        case .bitAnd: old & operand
        case .bitOr: old | operand
        case .bitXor: old ^ operand
        }
    }

    private mutating func change(_ object: Int, _ new: Int) {
        words[layout.value(object)] = new
        stir(object)
        observe()
    }

    /// An `await` reads it.
    private mutating func watch(_ thread: Int, _ object: Int) {
        if field(thread, Field.isRenewed) == 1 {
            set(thread, Field.isRenewed, 0)
            set(thread, Field.isStirred, 0)
            set(thread, Field.watched, 0)
        }
        set(thread, Field.watched, field(thread, Field.watched) | 1 << object)
    }

    /// It was written: threads that watch it look again.
    private mutating func stir(_ object: Int) {
        for thread in 0..<layout.threadCount where field(thread, Field.watched) & 1 << object != 0 {
            set(thread, Field.isStirred, 1)
        }
    }

    // MARK: - Races

    private mutating func learn(_ thread: Int, _ knowledge: Int) {
        set(thread, Field.knowledge, field(thread, Field.knowledge) | knowledge)
    }

    /// An access to plain memory races with another thread's that it does not know of, if one of them writes. Only the last
    /// access of each kind, thread and variable matters: who knows of it knows of all before.
    private mutating func access(_ thread: Int, _ object: Int, writes: Bool) {
        let first = program.firstAccess[object]
        for other in 0..<layout.threadCount where other != thread {
            let write = 1 << (first + 2 * other)
            let conflicting = writes ? write | write << 1 : write
            if words[layout.accesses] & conflicting & ~field(thread, Field.knowledge) != 0 {
                words[layout.hasRaced] = 1
            }
        }
        let own = 1 << (first + 2 * thread + (writes ? 0 : 1))
        words[layout.accesses] |= own
        for other in 0..<layout.threadCount { set(other, Field.knowledge, field(other, Field.knowledge) & ~own) }
        for other in 0..<layout.objectCount {
            words[layout.published(other)] &= ~own
            words[layout.readers(other)] &= ~own
        }
        learn(thread, own)
    }

    // MARK: - Locks

    private mutating func lock(_ thread: Int, _ step: Code.Step, _ object: Int) {
        let (owner, count) = (layout.owner(object), layout.count(object))
        let kind = program.names.objects[object].kind
        let isOwn = words[owner] == thread + 1
        if step.kind == .unlock {
            guard isOwn else { return finish(.misuse) }
            words[count] -= 1
            if words[count] == 0 { words[owner] = 0 }
            words[layout.published(object)] = field(thread, Field.knowledge)
            return complete(thread, step, nil)
        }
        var isTaken = false
        if words[owner] == 0 || isOwn && kind == .recursiveMutex {
            words[owner] = thread + 1
            words[count] += 1
            learn(thread, words[layout.published(object)])
            isTaken = true
        } else if isOwn && kind == .checkingMutex && step.kind != .tryLock {
            return finish(.misuse)
        }
        complete(thread, step, step.kind == .lock ? nil : isTaken ? 1 : 0)
    }

    private mutating func wait(_ thread: Int, _ condition: Int) {
        let mutex = program.names.mutex(of: condition)
        guard words[layout.owner(mutex)] == thread + 1 else { return finish(.misuse) }
        words[layout.owner(mutex)] = 0
        words[layout.count(mutex)] = 0
        words[layout.published(mutex)] = field(thread, Field.knowledge)
        if rules.isFirstWoken { set(thread, Field.rank, waiters(condition).count + 1) }
        set(thread, Field.phase, Phase.waiting)
        settle()
    }

    /// The wait is over, except for the mutex.
    private mutating func wake(_ thread: Int, bySignal isWoken: Int, _ condition: Int) {
        let rank = field(thread, Field.rank)
        for other in waiters(condition) where field(other, Field.rank) > rank {
            set(other, Field.rank, field(other, Field.rank) - 1)
        }
        set(thread, Field.rank, 0)
        set(thread, Field.phase, Phase.waking)
        set(thread, Field.isWoken, isWoken)
        set(thread, Field.remaining, -1)
    }

    private mutating func share(_ thread: Int, _ step: Code.Step, _ object: Int) {
        let (owner, hold) = (layout.owner(object), layout.hold(object, thread))
        let isOwn = words[owner] == thread + 1
        func isRead() -> Bool { (0..<layout.threadCount).contains { words[layout.hold(object, $0)] > 0 } }
        switch step.kind {
        case .unlockShared:
            if isOwn {
                words[owner] = 0
                words[layout.published(object)] = field(thread, Field.knowledge)
            } else if words[hold] > 0 {
                words[hold] -= 1
                words[layout.readers(object)] |= field(thread, Field.knowledge)
            } else {
                return finish(.misuse)
            }
            complete(thread, step, nil)
        case .readLock, .tryRead, .readFor:
            if isOwn && step.kind != .tryRead { return finish(.misuse) }
            let isTaken = words[owner] == 0
            if isTaken {
                words[hold] += 1
                learn(thread, words[layout.published(object)])
            }
            complete(thread, step, step.kind == .readLock ? nil : isTaken ? 1 : 0)
        default:
            if isOwn && step.kind != .tryWrite { return finish(.misuse) }
            let isTaken = words[owner] == 0 && !isRead()
            if isTaken {
                words[owner] = thread + 1
                learn(thread, words[layout.published(object)] | words[layout.readers(object)])
            }
            complete(thread, step, step.kind == .writeLock ? nil : isTaken ? 1 : 0)
        }
    }

    // MARK: - Claims

    /// Memory has changed, or the run begins: what is claimed of every state is looked at.
    mutating func observe() {
        var failures: Set<Failure> = []
        var first: Failure?
        var wish = layout.wishes
        for (number, claim) in program.tree.claims.enumerated() {
            switch claim {
            case .invariant(let claim):
                if value(claim) == 0 {
                    first = first ?? .claim(number)
                    failures.insert(.claim(number))
                }
            case .eventually(let claim):
                if value(claim) != 0 && first == nil { words[wish] = 1 }
                wish += 1
            case .always, .never, .sometimes, .outcomes, .findings: break
            }
        }
        if let first { finish(.assertion, failures: failures, first: first) }
    }

    /// What is claimed of the end is looked at.
    mutating func review() {
        var failures: Set<Failure> = []
        var first: Failure?
        var wish = layout.wishes
        for (number, claim) in program.tree.claims.enumerated() {
            var holds = true
            switch claim {
            case .always(let claim), .invariant(let claim): holds = value(claim) != 0
            case .never(let claim): holds = value(claim) == 0
            case .outcomes(let places, let rows):
                holds = rows.contains { row in zip(places, row).allSatisfy { value(.read($0)) == $1 } }
            case .eventually:
                holds = words[wish] == 1
                wish += 1
            case .sometimes, .findings: break
            }
            if !holds {
                first = first ?? .claim(number)
                failures.insert(.claim(number))
            }
        }
        if let first { finish(.assertion, failures: failures, first: first) }
    }

    /// The value of a claim, in which reads are no steps.
    func value(_ claim: Expression) -> Int {
        switch claim {
        case .number(let value): return value
        case .truth(let value): return value ? 1 : 0
        case .read(let place):
            var object = program.names.object(place.object)
            if let index = place.index { object += value(index) }
            return words[layout.value(object)]
        case .binary(let sign, let left, let right): return Self.value(sign, value(left), value(right))
        case .and(let left, let right): return value(left) != 0 && value(right) != 0 ? 1 : 0
        case .or(let left, let right): return value(left) != 0 || value(right) != 0 ? 1 : 0
        case .not(let part): return 1 - value(part)
        default: preconditionFailure("not in a claim")
        }
    }
}
