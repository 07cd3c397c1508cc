/// Changes that add a missing unlock or a missing join, swap two locks, or take another lock, mode or kind of mutex.
extension ChangeFinder {
    /// Adds missing unlocks and signals. Before a `return`, `break` or `continue`: the calls that it may skip and that
    /// unlock or wake other threads, and an `unlock` of each lock that is still held after a call such as `m.lock()`.
    /// At the end of a block: an `unlock` of each such lock.
    mutating func findUnlocks() {
        for place in map.places where place.statement.leaves {
            for call in releases(behind: place) {
                let words = "'\(call.receiver).\(call.name.text)()' before the thread leaves"
                add(.unlockOnReturn, words, [inserted(map.text(call.span), before: place.statement.span)])
            }
            for lock in Set(place.manual).sorted() {
                let words = "'\(lock).unlock()' before the thread leaves"
                add(.unlockOnReturn, words, [inserted("\(lock).unlock()", before: place.statement.span)])
            }
        }
        for place in map.places where place.index == place.block.statements.count - 1 && !place.statement.leaves {
            var open = place.manual
            if let call = map.call(place.statement) {
                if call.method == .lock { open.append(call.receiver) }
                if call.method == .unlock { open.removeAll { $0 == call.receiver } }
            }
            for lock in Set(open).sorted() {
                let words = "'\(lock).unlock()' at the end"
                add(.unlockOnReturn, words, [inserted("\(lock).unlock()", behind: place.statement.span)])
            }
        }
    }

    /// The calls that unlock or wake other threads, and that follow one of the statements around the place, in the
    /// block of that statement.
    private func releases(behind place: StatementMap.Place) -> [StatementMap.Call] {
        place.around.flatMap { number in
            let outer = map.places[number]
            return outer.block.statements[(outer.index + 1)...].compactMap(map.call).filter { call in
                switch call.method {
                case .unlock, .signal, .broadcast: true
                case nil: call.name.text == "countDown"
                default: false
                }
            }
        }
    }

    /// Swaps two locks that a thread acquires one after the other, as blocks or by calls.
    mutating func findOrders() {
        for place in map.places {
            if let inner = map.locked(place.statement) {
                for number in place.around {
                    guard let outer = map.locked(map.places[number].statement), inner.mode == outer.mode,
                        inner.lock != outer.lock
                    else { continue }
                    add(
                        .lockOrder, "'\(inner.lock)' before '\(outer.lock)'",
                        exchanged(outer.place.span, inner.place.span))
                }
                addGate(place)
            }
            guard let call = map.call(place.statement), takes(call) else { continue }
            for earlier in place.block.statements[..<place.index].compactMap(map.call)
            where takes(earlier) && earlier.receiver != call.receiver && earlier.method == call.method {
                add(
                    .lockOrder, "'\(call.receiver)' before '\(earlier.receiver)'",
                    exchanged(earlier.receiverSpan, call.receiverSpan))
            }
        }
    }

    /// Whether the call waits for a lock or a semaphore.
    private func takes(_ call: StatementMap.Call) -> Bool {
        switch call.method {
        case .lock, .readLock, .writeLock: true
        case .wait: map.objects[call.object]?.isSemaphore ?? false
        default: false
        }
    }

    /// Proposes one new mutex, a gate, around every pair of nested lock blocks at the top level of a body, so that the
    /// order of the two locks does not matter. Called for each lock block, but proposes only at the first pair: the
    /// change is the same for all.
    private mutating func addGate(_ place: StatementMap.Place) {
        guard place.around.isEmpty, hasLockInside(place.statement), let gate = unusedName("gate"),
            let object = map.names.first.flatMap({ map.objects[$0] }), let end = endOfDeclaration(object.declarator)
        else { return }
        let pairs = map.places.filter { $0.around.isEmpty && hasLockInside($0.statement) }
        guard pairs.first?.statement.span == place.statement.span else { return }
        let sections = pairs.flatMap { wrapped($0.statement.span, in: "lock \(gate)") }
        add(
            .newLock, "a new mutex around the locks that are taken together",
            [TextEdit(at: end, "\nmutex \(gate)")] + sections, size: pairs.count + 1)
    }

    /// Whether the statement is a lock block that has another one directly in it.
    private func hasLockInside(_ statement: Syntax.Statement) -> Bool {
        guard map.locked(statement) != nil else { return false }
        return statement.blocks.contains { $0.statements.contains { map.locked($0) != nil } }
    }

    /// Proposes another lock, a lock for writing instead of reading, and a recursive mutex.
    mutating func findOtherLocks() {
        let mutexes = map.names.filter { map.objects[$0]!.isMutex && map.objects[$0]!.declarator.count == nil }
        for place in map.places {
            if let locked = map.locked(place.statement) {
                switch locked.mode {
                case .mutex where isFull(.otherLock): break
                case .mutex:
                    // If the lock is an element of an array, such as `m[index]`, all threads may need the same one.
                    let element = locked.place.object.flatMap { $0 == locked.lock ? nil : "\($0)[0]" }
                    for other in [element].compactMap(\.self) + mutexes where other != locked.lock {
                        add(
                            .otherLock, "'\(other)' instead of '\(locked.lock)'",
                            [TextEdit(locked.place.span, other)])
                    }
                case .reading: addWriteLock(place.statement, locked.lock)
                case .writing: break
                }
            }
            if let call = map.call(place.statement), call.method == .readLock {
                let edit = TextEdit(call.name.span, MemberName.writeLock.rawValue)
                add(.writeLock, "'\(call.receiver)' locked for writing", [edit])
            }
        }
        for name in map.names {
            guard case .mutex(.normal) = map.objects[name]!.declaration.kind,
                let token = map.tokens.firstIndex(where: {
                    $0.span.start == map.objects[name]!.declaration.declarators[0].name.span.start
                }), token > 0
            else { continue }
            let edit = TextEdit(at: map.tokens[token - 1].span.start, "\(Keyword.recursive.rawValue) ")
            add(.recursive, "a mutex that its holder may lock again", [edit], size: 2)
        }
    }

    /// Turns a block of `reading` into one of `writing`. If blocks inside it hold the lock again, also proposes to
    /// remove these inner locks.
    private mutating func addWriteLock(_ statement: Syntax.Statement, _ name: String) {
        let word = Span(statement.span.start, statement.span.start + Keyword.reading.rawValue.utf8.count)
        let edit = TextEdit(word, Keyword.writing.rawValue)
        add(.writeLock, "'\(name)' locked for writing", [edit])
        let inner = locks(of: name, in: statement.blocks)
        if !inner.isEmpty {
            add(
                .writeLock, "'\(name)' locked for writing from the beginning", [edit] + inner.flatMap(unwrapped),
                size: 1 + inner.count)
        }
    }

    /// The blocks of this lock in the given blocks, without those that are inside another one.
    func locks(of lock: String, in blocks: [Syntax.Block]) -> [Syntax.Statement] {
        blocks.flatMap(\.statements).flatMap { statement in
            map.locked(statement)?.lock == lock ? [statement] : locks(of: lock, in: statement.blocks)
        }
    }

    /// Replaces `detach` by `join`. If no statement joins or detaches a spawned thread, adds a `join` of it at the end
    /// of the body that spawns it.
    mutating func findJoins() {
        var joinedOrDetached: Set<String> = []
        for place in map.places {
            if case .join(let thread) = place.statement.kind {
                joinedOrDetached.formUnion([thread.object].compactMap(\.self))
            }
            guard case .detach(let thread) = place.statement.kind else { continue }
            joinedOrDetached.formUnion([thread.object].compactMap(\.self))
            let start = place.statement.span.start
            let word = Span(start, start + Keyword.detach.rawValue.utf8.count)
            add(.join, "'join' instead of 'detach'", [TextEdit(word, Keyword.join.rawValue)])
        }
        for place in map.places {
            guard case .spawn(let thread) = place.statement.kind, let name = thread.object,
                !joinedOrDetached.contains(name), let last = map.bodies[place.body].statements.last
            else { continue }
            add(.join, "a 'join' of '\(name)'", [inserted("join \(map.text(thread.span))", behind: last.span)])
        }
    }
}
