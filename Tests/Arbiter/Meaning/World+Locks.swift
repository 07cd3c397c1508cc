/// Steps on locks and conditions.
extension World {
    mutating func lock(_ thread: Int, _ step: Code.Step, _ object: Int) {
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

    mutating func wait(_ thread: Int, _ condition: Int) {
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
    mutating func wake(_ thread: Int, bySignal isWoken: Int, _ condition: Int) {
        let rank = field(thread, Field.rank)
        for other in waiters(condition) where field(other, Field.rank) > rank {
            set(other, Field.rank, field(other, Field.rank) - 1)
        }
        set(thread, Field.rank, 0)
        set(thread, Field.phase, Phase.waking)
        set(thread, Field.isWoken, isWoken)
        set(thread, Field.remaining, -1)
    }

    mutating func share(_ thread: Int, _ step: Code.Step, _ object: Int, _ way: Int) {
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
            let isTaken = letsReadersIn(object)
            if isTaken {
                words[hold] += 1
                learn(thread, words[layout.published(object)])
            }
            complete(thread, step, step.kind == .readLock ? nil : isTaken ? 1 : 0)
        default:
            if isOwn && step.kind != .tryWrite { return finish(.misuse) }
            let isTaken = words[owner] == 0 && !isRead()
            if !isTaken && canQueue(thread, step, object) && (!isLate(thread) || way == 1) {
                set(thread, Field.isQueued, 1)
                return settle()
            }
            if isTaken {
                words[owner] = thread + 1
                learn(thread, words[layout.published(object)] | words[layout.readers(object)])
            }
            complete(thread, step, step.kind == .writeLock ? nil : isTaken ? 1 : 0)
        }
    }
}
