/// Steps on memory, and the data races that they show.
extension World {
    mutating func remember(_ thread: Int, _ step: Code.Step, _ object: Int, _ way: Int) {
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
        case .compareExchange, .weakCompareExchange:
            let new = pop(thread)
            let expected = pop(thread)
            learn(thread, words[layout.published(object)])
            if way == 1 {
                // For no reason.
                words[layout.spurious] -= 1
                return complete(thread, step, 0)
            }
            if old == expected {
                words[layout.published(object)] = field(thread, Field.knowledge)
                change(object, new)
            }
            complete(thread, step, old == expected ? 1 : 0)
        default: preconditionFailure("not about memory")
        }
    }

    static func value(_ update: Expression.Update, _ old: Int, _ operand: Int) -> Int {
        switch update {
        case .exchange: operand
        case .add: old + operand
        case .bitAnd: old & operand
        case .bitOr: old | operand
        case .bitXor: old ^ operand
        }
    }

    mutating func change(_ object: Int, _ new: Int) {
        words[layout.value(object)] = program.isCounter[object] ? 0 : new
        stir(object)
        observe()
    }

    /// An `await` reads it.
    mutating func watch(_ thread: Int, _ object: Int) {
        if field(thread, Field.isRenewed) == 1 {
            set(thread, Field.isRenewed, 0)
            set(thread, Field.isStirred, 0)
            set(thread, Field.watched, 0)
        }
        set(thread, Field.watched, field(thread, Field.watched) | 1 << object)
    }

    /// It was written: threads that watch it look again.
    mutating func stir(_ object: Int) {
        for thread in 0..<layout.threadCount where field(thread, Field.watched) & 1 << object != 0 {
            set(thread, Field.isStirred, 1)
        }
    }

    // MARK: - Races

    mutating func learn(_ thread: Int, _ knowledge: Int) {
        set(thread, Field.knowledge, field(thread, Field.knowledge) | knowledge)
    }

    /// An access to plain memory races with another thread's that it does not know of, if one of them writes. Only the last
    /// access of each kind, thread and variable matters: who knows of it knows of all before.
    mutating func access(_ thread: Int, _ object: Int, writes: Bool) {
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
}
