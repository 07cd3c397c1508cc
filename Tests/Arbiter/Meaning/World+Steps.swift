/// What steps do.
extension World {
    /// The thread takes its step, and runs to the next one.
    mutating func take(_ thread: Int, way: Int) {
        hasProgressed = false
        let step = step(thread)
        let object = object(thread, step)
        switch field(thread, Field.phase) {
        case Phase.waiting:
            // The wait ends without a signal. The mutex is another step.
            let isEarly = !isLate(thread) || way == 1
            if isEarly { words[layout.spurious] -= 1 }
            wake(thread, bySignal: isEarly ? 1 : 0, object)
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
    mutating func complete(_ thread: Int, _ step: Code.Step, _ result: Int?) {
        if step.isElement { pop(thread) }
        set(thread, Field.remaining, -1)
        set(thread, Field.isQueued, 0)
        set(thread, Field.position, field(thread, Field.position) + 1)
        if let result { push(thread, result) }
        runLocalCode(thread)
        settle()
    }

    mutating func settle() {
        if end == nil && hasCycleOfThreads { finish(.deadlock) }
    }

    mutating func perform(_ thread: Int, _ step: Code.Step, _ object: Int, _ way: Int) {
        switch step.kind {
        case .start, .yield, .sleep, .inspect: complete(thread, step, nil)
        case .exit: exit()
        case .choose: complete(thread, step, way)
        case .read, .load, .permits, .write, .store, .update, .compareExchange, .weakCompareExchange:
            remember(thread, step, object, way)
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
            share(thread, step, object, way)
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

    mutating func exit() {
        let isForgotten = (1..<layout.threadCount).contains {
            field($0, Field.phase) != Phase.unborn && field($0, Field.fate) == 0
        }
        finish(words[layout.hasRaced] == 1 ? .race : isForgotten ? .leak : .completed, leavesThreads: isForgotten)
    }
}
