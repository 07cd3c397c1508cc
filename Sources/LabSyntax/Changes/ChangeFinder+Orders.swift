/// Changes of the order of statements in a thread.
extension ChangeFinder {
    /// Swaps two consecutive statements, and moves a statement out of a critical section, or into the block of an `if`.
    mutating func findStatementOrders() {
        var moves: [[TextEdit]] = []
        for place in map.places {
            let statements = place.block.statements
            if place.index + 1 < statements.count {
                let (first, second) = (place.statement, statements[place.index + 1])
                if matters(first) && matters(second) {
                    add(
                        .statementOrder, "the other order of two statements", exchanged(first.span, second.span))
                }
            }
            if let locked = map.locked(place.statement) {
                moves += moveOut(place.statement, locked.lock, locked.block)
            }
            moveIn(place)
        }
        addAll(.waitBeforeLock, "each wait outside of the lock", moves)
    }

    /// Whether other threads notice the statement. `assert` and accesses of auxiliary variables do not count: they
    /// state the program's purpose, and keep their places.
    private func matters(_ statement: Syntax.Statement) -> Bool {
        switch statement.kind {
        case _ where onlyWatches(statement): false
        case .spawn, .join, .detach, .locked, .enclosed, .await: true
        case .break, .continue, .return, .assert, .note, .progress: false
        case .variable, .assign, .expression, .if, .while, .for, .repeat, .sleep, .yield:
            map.call(statement) != nil || !map.accesses(statement).isEmpty
        }
    }

    /// Moves a wait, or a call of a function, from the beginning of a critical section to before it, or from its end to
    /// after it.
    ///
    /// - Returns: the edits of the move to before the section, if there is one. A further change makes all these moves.
    private mutating func moveOut(
        _ section: Syntax.Statement, _ lock: String, _ block: Syntax.Block
    ) -> [[TextEdit]] {
        guard block.statements.count > 1, let first = block.statements.first, let last = block.statements.last else {
            return []
        }
        var moves: [[TextEdit]] = []
        if waits(first) {
            moves.append([
                inserted(map.text(first.span), before: section.span),
                TextEdit(Span(first.span.start, block.statements[1].span.start), ""),
            ])
            add(.waitBeforeLock, "'\(map.text(first.span))' before '\(lock)' is locked", moves.last!)
        }
        if waits(last) {
            let previous = block.statements[block.statements.count - 2]
            let edits = [
                TextEdit(Span(previous.span.end, last.span.end), ""),
                inserted(map.text(last.span), behind: section.span),
            ]
            add(.waitBeforeLock, "'\(map.text(last.span))' after '\(lock)' is unlocked", edits)
        }
        return moves
    }

    /// `if m.tryLock() { … }; m.unlock()` → `if m.tryLock() { …; m.unlock() }`: the attempt may have failed. As an
    /// attempt, `lock` and `wait` have a time limit.
    private mutating func moveIn(_ place: StatementMap.Place) {
        guard case .if(let branches, nil) = place.statement.kind, let branch = branches.first, branches.count == 1,
            place.index + 1 < place.block.statements.count, let last = branch.block.statements.last,
            let attempt = map.call(branch.condition),
            [.tryLock, .tryWait, .tryReadLock, .tryWriteLock, .lock, .wait].contains(attempt.method)
        else { return }
        let next = place.block.statements[place.index + 1]
        guard let release = map.call(next), release.receiver == attempt.receiver,
            release.method == .unlock || release.method == .signal
        else { return }
        let words = "'\(map.text(next.span))' only if '\(map.text(branch.condition.span))' succeeds"
        let edits = [
            inserted(map.text(next.span), behind: last.span),
            TextEdit(Span(place.statement.span.end, next.span.end), ""),
        ]
        add(.statementOrder, words, edits)
    }

    /// Whether the statement may wait: a `join`, an `await`, a call of a function, or a `wait` except for a condition.
    private func waits(_ statement: Syntax.Statement) -> Bool {
        switch statement.kind {
        case .join, .await: true
        case .expression(let expression):
            if case .call = expression.kind {
                true
            } else {
                map.call(expression).map { $0.method == .wait && map.objects[$0.object]?.isCondition != true } ?? false
            }
        default: false
        }
    }
}
