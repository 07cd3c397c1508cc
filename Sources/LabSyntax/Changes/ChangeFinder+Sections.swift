/// Changes that put accesses of memory into critical sections: new sections, or larger ones.
extension ChangeFinder {
    /// Consecutive statements of a block, for one critical section.
    private struct Run {
        let block: Syntax.Block
        let range: ClosedRange<Int>

        var statements: [Syntax.Statement] { Array(block.statements[range]) }
    }

    /// Variables that one lock is to protect: all of one declaration, or one of them.
    private struct Memory {
        let names: Set<String>
        /// The quoted names, for messages.
        let words: String
    }

    /// The maximum number of existing locks that are tried for the same variables.
    private static let mostLocks = 16
    /// The maximum number of statements by which a section is extended at its end.
    private static let mostAdded = 3

    mutating func findSections() {
        let accessed = Set(map.places.flatMap { map.ownAccesses($0.statement).map(\.object) })
        for name in map.names where accessed.contains(name) {
            addSections(Memory(names: [name], words: "'\(name)'"))
        }
        for case .objects(let declaration) in map.file.items {
            let names = declaration.declarators.map(\.name.text).filter(accessed.contains)
            guard names.count > 1 else { continue }
            addSections(Memory(names: Set(names), words: names.map { "'\($0)'" }.joined(separator: " and ")))
        }
        findLargerSections()
    }

    private mutating func addSections(_ memory: Memory) {
        if isWatched(memory.names) { return }
        for lock in locks(for: memory).prefix(Self.mostLocks) where !isFull(.lockAround) { addSections(memory, lock) }
        addNewLock(memory)
    }

    /// The locks that may protect the memory, the likeliest first: those held at some access of it, then those of
    /// conditions, then all others except arrays.
    private func locks(for memory: Memory) -> [String] {
        var found: [String] = []
        for place in map.places
        where map.accesses(place.statement).contains(where: { memory.names.contains($0.object) }) {
            found += place.held + [map.locked(place.statement)?.lock].compactMap(\.self)
        }
        for name in map.names {
            let declared = map.objects[name]!
            if declared.isCondition, let mutex = declared.declarator.mutex { found.append(map.text(mutex.span)) }
        }
        found += map.names.filter {
            (map.objects[$0]!.isMutex || map.objects[$0]!.isReadWriteLock) && map.objects[$0]!.declarator.count == nil
        }
        var known: Set<String> = []
        return found.filter { known.insert($0).inserted }
    }

    /// Proposes the lock around each run of statements that accesses the memory, and around all runs together: first
    /// with a run for each access, then with coarse runs (see `runs`).
    private mutating func addSections(_ memory: Memory, _ lock: String) {
        for isCoarse in [false, true] {
            let runs = map.bodies.flatMap { self.runs($0, memory.names, lock, isCoarse: isCoarse) }
            let sections = runs.map { section($0, head(lock, $0, memory.names), lock) }
            for (run, edits) in zip(runs, sections) {
                let words = "'\(lock)' held around the access of \(memory.words)"
                add(.lockAround, words, edits, around: [run.statements])
            }
            addAll(
                .lockAround, "'\(lock)' held around each access of \(memory.words)", sections,
                around: runs.map(\.statements))
        }
    }

    /// The words before the block that holds the lock: `lock m`, `reading r` or `writing r`.
    private func head(_ lock: String, _ run: Run, _ objects: Set<String>) -> String {
        let base = String(lock.prefix { $0 != "[" })
        guard map.objects[base]?.isReadWriteLock == true else { return "lock \(lock)" }
        let changes = run.block.statements[run.range].contains { statement in
            map.accesses(statement).contains { $0.isChange && objects.contains($0.object) }
        }
        return "\(changes ? "writing" : "reading") \(lock)"
    }

    /// Proposes a new mutex around all runs of statements that access the memory: first with a run for each access,
    /// then with coarse runs.
    private mutating func addNewLock(_ memory: Memory) {
        guard !isFull(.newLock), let object = map.names.first(where: memory.names.contains),
            let declared = map.objects[object],
            let end = endOfDeclaration(declared.declarator),
            let mutex = unusedName("\(object)Lock")
        else { return }
        for isCoarse in [false, true] {
            let runs = map.bodies.flatMap { self.runs($0, memory.names, mutex, isCoarse: isCoarse) }
            let sections = runs.map { section($0, "lock \(mutex)", mutex) }
            guard !runs.isEmpty else { continue }
            // Other accesses of an atomic need not hold the mutex, so it is also tried around each run alone.
            if declared.isAtomic, sections.count > 1 {
                for (run, section) in zip(runs, sections) {
                    add(
                        .newLock, "a new mutex around an access of \(memory.words)",
                        [TextEdit(at: end, "\nmutex \(mutex)")] + section, size: 2, around: [run.statements])
                }
            }
            add(
                .newLock, "a new mutex around each access of \(memory.words)",
                [TextEdit(at: end, "\nmutex \(mutex)")] + sections.flatMap(\.self), size: sections.count + 1,
                around: runs.map(\.statements))
        }
    }

    /// The runs of statements that access the objects and can be put under the lock: those that neither hold it already
    /// nor wait for other threads.
    ///
    /// - Parameter isCoarse: whether a block's statements from the first access to the last make up one run, instead of
    ///   one run for each access.
    private func runs(_ block: Syntax.Block, _ objects: Set<String>, _ lock: String, isCoarse: Bool) -> [Run] {
        let hits = block.statements.indices.filter { index in
            map.accesses(block.statements[index]).contains { objects.contains($0.object) }
        }
        guard let first = hits.first, let last = hits.last else { return [] }
        if isCoarse && hits.count > 1 {
            let run = Run(block: block, range: first...last)
            return waits(run, lock) ? [] : [run]
        }
        return hits.flatMap { index -> [Run] in
            let statement = block.statements[index]
            if map.locked(statement)?.lock == lock { return [] }
            if map.ownAccesses(statement).contains(where: { objects.contains($0.object) }) || statement.blocks.isEmpty {
                return [Run(block: block, range: index...index)]
            }
            return statement.blocks.flatMap { runs($0, objects, lock, isCoarse: isCoarse) }
        }.filter { !isHeld(lock, in: $0.block) && !waits($0, lock) }
    }

    /// Whether the run waits for other threads, so that its thread should not hold this lock.
    private func waits(_ run: Run, _ lock: String) -> Bool {
        run.statements.contains { waitsInLoop($0) || waitsForCondition($0, besides: lock) }
    }

    private func isHeld(_ lock: String, in block: Syntax.Block) -> Bool {
        map.places.first { $0.block.span == block.span }?.held.contains(lock) ?? false
    }

    /// Puts the lock around the run, and removes the same lock from blocks inside it.
    private func section(_ run: Run, _ head: String, _ lock: String) -> [TextEdit] {
        let run = withUses(run)
        let inner = locks(
            of: lock, in: [Syntax.Block(statements: Array(run.block.statements[run.range]), span: run.block.span)])
        let opened = inner.flatMap(unwrapped)
        // No edit may lie within a span that another one removes.
        let removed = opened.map(\.span).filter { $0.end > $0.start }
        let edits = wrapped(statements(run.block, run.range), in: head).filter { edit in
            !removed.contains { $0.start < edit.span.start && edit.span.start < $0.end }
        }
        return edits + opened
    }

    /// Extends the run to all uses of the local variables that it declares, whose scope would end with its new block.
    private func withUses(_ run: Run) -> Run {
        let statements = run.block.statements
        var number = run.range.lowerBound
        var last = run.range.upperBound
        while number <= last {
            if case .variable(let variable) = statements[number].kind,
                let use = map.uses[variable.name.text]?.last(where: { $0 < run.block.span.end })
            {
                last = statements[last...].lastIndex { $0.span.start <= use } ?? last
            }
            number += 1
        }
        return Run(block: run.block, range: run.range.lowerBound...last)
    }

    /// Extends existing critical sections: by up to three statements after them, by one before, or, for all sections of
    /// a lock together, to the end of their blocks.
    private mutating func findLargerSections() {
        var whole: [String: [[TextEdit]]] = [:]
        for place in map.places where !isFull(.lockAround) {
            guard let locked = map.locked(place.statement) else { continue }
            let lock = locked.lock
            let word = locked.mode == .mutex ? "lock" : locked.mode == .reading ? "reading" : "writing"
            let last = place.block.statements.count - 1
            for end in place.index + 1..<min(last, place.index + Self.mostAdded) + 1 {
                let run = Run(block: place.block, range: place.index...end)
                if waits(run, lock) { break }
                let added = Array(run.statements.dropFirst())
                add(
                    .lockAround, "'\(lock)' held for longer", section(run, "\(word) \(lock)", lock),
                    size: end - place.index, around: [added])
            }
            if place.index > 0 {
                let run = Run(block: place.block, range: place.index - 1...place.index)
                if !waits(run, lock) {
                    add(
                        .lockAround, "'\(lock)' held earlier", section(run, "\(word) \(lock)", lock),
                        around: [[run.statements[0]]])
                }
            }
            // The first section of a block, extended to the end, takes in the later ones of the same lock.
            let isFirst = !place.block.statements[..<place.index].contains { map.locked($0)?.lock == lock }
            if isFirst, place.index < last, !place.held.contains(lock) {
                let run = Run(block: place.block, range: place.index...last)
                if !waits(run, lock) { whole[lock, default: []].append(section(run, "\(word) \(lock)", lock)) }
            }
        }
        for (lock, sections) in whole.sorted(by: { $0.key < $1.key }) {
            addAll(.lockAround, "'\(lock)' held until the end", sections)
        }
    }
}
