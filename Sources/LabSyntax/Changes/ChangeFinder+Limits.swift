/// Guards against changes that hide a fault instead of curing it: some are not proposed, although a search would find
/// no failure with them; others come with a caution.
extension ChangeFinder {
    /// The auxiliary variables: atomics that threads only change, that an `assert` in a thread or function reads, and
    /// that no other statement reads, such as the number of threads in a section. A lock around their accesses, or
    /// another order of them, would make the assertion true without a cure.
    static func watched(_ map: StatementMap) -> Set<String> {
        var tested: Set<String> = []
        var used: Set<String> = []
        for place in map.places {
            let objects = map.ownAccesses(place.statement).map(\.object)
            switch place.statement.kind {
            case .assert: tested.formUnion(objects)
            case .expression(let expression) where map.call(expression) != nil:
                let arguments = map.call(expression)?.arguments ?? []
                used.formUnion(arguments.flatMap { map.accesses(in: $0.value) }.map(\.object))
            default: used.formUnion(objects)
            }
        }
        let atEnd = map.finally?.statements.flatMap(map.accesses).map(\.object) ?? []
        return tested.filter { map.objects[$0]?.isAtomic == true }.subtracting(used).subtracting(atEnd)
    }

    func isWatched(_ names: Set<String>) -> Bool { names.isSubset(of: watched) }

    /// Whether the statement accesses memory, and only auxiliary variables.
    func onlyWatches(_ statement: Syntax.Statement) -> Bool {
        let objects = Set(map.accesses(statement).map(\.object))
        return !objects.isEmpty && isWatched(objects)
    }

    /// Whether the statement waits until other threads change memory: by `await`, or in a loop that polls. It must not
    /// do so under a lock that these threads need. A wait for a condition is different: it releases the lock.
    func waitsInLoop(_ statement: Syntax.Statement) -> Bool {
        switch statement.kind {
        case .await: true
        case .while(let condition, let block):
            isChangedByOthers(condition, block) && !block.statements.contains { waitsForCondition($0) }
                || block.statements.contains(where: waitsInLoop)
        default: statement.blocks.contains { $0.statements.contains(where: waitsInLoop) }
        }
    }

    /// Whether a loop presumably ends by a change of other threads: its condition reads an atomic, or only shared
    /// variables that the loop itself does not change.
    private func isChangedByOthers(_ condition: Syntax.Expression, _ block: Syntax.Block) -> Bool {
        let read = Set(map.accesses(in: condition).map(\.object))
        if read.contains(where: { map.objects[$0]?.isAtomic == true }) { return true }
        let changed = block.statements.flatMap(map.accesses).filter(\.isChange).map(\.object)
        var names: Set<String> = []
        condition.visit { if case .name(let name) = $0.kind { names.insert(name) } }
        return !read.isEmpty && read.isDisjoint(with: changed) && names.isSubset(of: read)
    }

    /// Whether the statement waits for a condition.
    ///
    /// - Parameter lock: waits that release this lock are ignored. Nil: all waits count.
    func waitsForCondition(_ statement: Syntax.Statement, besides lock: String? = nil) -> Bool {
        if let call = map.call(statement), call.method == .wait, let object = map.objects[call.object],
            object.isCondition
        {
            let mutex = object.declarator.mutex.map { map.text($0.span) }
            return lock == nil || mutex != lock
        }
        return statement.blocks.contains { $0.statements.contains { waitsForCondition($0, besides: lock) } }
    }

    // MARK: - Cautions

    /// What to check before the change is made. Nil: nothing in particular.
    ///
    /// - Parameter sections: the statements around which the change puts a lock.
    func caution(_ kind: SourceChange.Kind, _ sections: [[Syntax.Statement]]) -> String? {
        let inside = sections.flatMap(\.self)
        switch kind {
        case .recursive:
            return "The inner section then begins while the outer one is half done: make sure that it may see that."
        case .statementOrder: return "Make sure that no other thread relies on the old order."
        case .writeLock: return "Readers then wait for each other there."
        case .lockAround, .newLock:
            if let line = line(in: inside, where: blocks) {
                return "A thread then waits at line \(line) with the lock held, and every other one for the lock."
            }
            if let line = line(in: inside, where: { assertsOwnChange($0, inside) }) {
                return "Nothing can come between the change and the assert at line \(line) then: make sure that it "
                    + "still tests what it should."
            }
            guard kind == .newLock, let object = otherExclusion else { return nil }
            return "If \(object) should keep the threads apart, that is not cured: the new mutex hides it."
        case .loopAroundWait, .broadcast, .signalAfterChange, .waitForPredicate, .unlockOnReturn, .lockOrder,
            .otherLock, .order, .oneUpdate, .atomic, .waitBeforeLock, .join:
            return nil
        }
    }

    /// Whether the statement asserts something about memory that its thread changes in the same section.
    private func assertsOwnChange(_ statement: Syntax.Statement, _ inside: [Syntax.Statement]) -> Bool {
        guard case .assert = statement.kind else { return false }
        let changed = Set(inside.flatMap(map.accesses).filter(\.isChange).map(\.object))
        return map.ownAccesses(statement).contains { changed.contains($0.object) }
    }

    /// Whether the statement can block without releasing a lock.
    private func blocks(_ statement: Syntax.Statement) -> Bool {
        switch statement.kind {
        case .await, .join, .sleep: true
        default:
            map.call(statement).map { $0.method == .wait && map.objects[$0.object]?.isCondition != true } ?? false
        }
    }

    /// The line of the first statement, blocks included, that meets the condition.
    private func line(
        in statements: [Syntax.Statement], where isMeant: (Syntax.Statement) -> Bool
    ) -> Int? {
        for statement in statements {
            if isMeant(statement) { return map.line(statement.span) }
            if let line = line(in: statement.blocks.flatMap(\.statements), where: isMeant) { return line }
        }
        return nil
    }

    /// The object other than a mutex by which the program seems to exclude other threads, quoted: a semaphore, a
    /// read-write lock, or a variable that is polled. Nil: none is found.
    private var otherExclusion: String? {
        let objects = map.names.compactMap { name in map.objects[name].map { (name, $0) } }
        if let other = objects.first(where: { $0.1.isSemaphore || $0.1.isReadWriteLock }) { return "'\(other.0)'" }
        for place in map.places {
            // A loop inside a `lock` block has a place of its own.
            guard waitsInLoop(place.statement), map.locked(place.statement) == nil else { continue }
            if let name = map.ownAccesses(place.statement).first?.object { return "'\(name)'" }
        }
        return nil
    }
}
