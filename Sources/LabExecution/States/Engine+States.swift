import Machine

/// The engine as a subject of the search by states: it takes single steps from any state, and writes and restores
/// states.
extension Engine: StatefulSubject {
    package var mostThreads: Int { bytecode.threads.count + 1 }

    /// An upper bound with room to spare: it counts the words of all threads, and `mostSlots` more for each.
    package var longestComponent: Int {
        state.longestComponent + mostThreads * Liveness.mostSlots + wordCount + ThreadWords.count
    }

    package func beginStates() {
        prepareStates()
        begin()
        driver.settle()
        if forgetsCounters { for thread in 0..<state.threadCount { forgetCounters(thread) } }
    }

    package func take(_ thread: Int, way: Int) {
        let operation = state.operation(of: thread)
        words[regions[thread] + ThreadWords.hasLooped] = 0
        words[regions[thread] + ThreadWords.hasProgressed] = 0
        let mutex = facts.mutexes[Int(operation.object)]
        let holds = mutex != 0 && state.object(mutex).owner == Int32(truncatingIfNeeded: thread + 1)
        let place = state.isWaiting(thread) ? state.rank(of: thread) : 0
        let result = driver.take(thread, way: way)
        // If signals wake the first waiter (`fifo`), a waiter that leaves early decides which thread a signal wakes.
        hasFoundUnordered =
            !result.act.findsOnlyOrdered(operation, holdingMutex: holds)
            || result.act == .leaveEarly && driver.rules.waiters == .fifo
        let watched = state.hasWatches
        influence =
            result.act == .leaveEarly
            ? .leaving(operation.object, place: place) : result.act.influence(of: operation, way: way)
        let threadCount = state.threadCount
        complete(thread, result)
        if state.threadCount != threadCount { influence = .unclear }
        driver.settle()
        hasChangedOthers = watched || result.act.changesOtherThreads || state.time > 0 || driver.verdict != nil
        if forgetsCounters { forgetCounters(thread) }
    }

    package var hasCounters: Bool { !bytecode.counters.isEmpty }

    /// Sets all counters to zero: the variables, the thread's copies of them, and the value that it is about to write
    /// to one.
    private func forgetCounters(_ thread: Int) {
        let counters = bytecode.counters
        if counters.isEmpty { return }
        for object in counters.objects { state.setWord(UInt32(object), 0) }
        if state.hasEnded(thread) { return }
        let own = words + regions[thread]
        counters.clear(own)
        let operation = state.place(ofOperationOf: thread)
        if counters.areObjects[Int(operation.pointee.object)] {
            operation.pointee.a = 0
            own[ThreadWords.argument] = 0
        }
    }

    // Two states are kept: number 0 for `mark`, and 1 for `isRestored`.
    package func mark() { keepState(0) }
    package func goBackToMark() { goBack(toState: 0) }

    package func passTime() { driver.passTimeNow() }

    package var mayPassTimeBesideOthers: Bool { driver.mayPassTimeBesideOthers }

    package func hasLooped(_ thread: Int) -> Bool { words[regions[thread] + ThreadWords.hasLooped] != 0 }

    package func hasProgressed(_ thread: Int) -> Bool { words[regions[thread] + ThreadWords.hasProgressed] != 0 }

    package var hasWeakOrders: Bool {
        prepareStates()
        return facts.hasWeakOrders
    }

    package var hasExpectations: Bool { bytecode.hasExpectations }

    package var isUnfulfilled: Bool { bytecode.isUnfulfilled(words) }

    package var interchangeable: [Range<Int>] {
        prepareStates()
        return facts.interchange.ranges
    }
    package var distinctions: [String] {
        prepareStates()
        return facts.interchange.distinctions
    }

    // MARK: - Components

    package func encode(_ component: Int, into words: UnsafeMutablePointer<Int>) -> Int {
        if component == 0 { return encodeShared(into: words) }
        let thread = component - 1
        if thread >= state.threadCount { return 0 }
        var end = state.encode(thread, words)
        if state.hasEnded(thread) { return end - words }
        let own = self.words + regions[thread]
        for word in ThreadWords.state {
            end.pointee = own[word]
            end += 1
        }
        let count = own[ThreadWords.stack] - ThreadWords.count
        end.update(from: own + ThreadWords.count, count: count)
        clearDeadSlots(own, in: end - ThreadWords.count)
        return end + count - words
    }

    /// In a copy of the thread's words, sets to zero the slots that the thread will not read again.
    ///
    /// - Parameter copy: where a copy of all of the thread's words would begin.
    func clearDeadSlots(_ own: UnsafeMutablePointer<Int>, in copy: UnsafeMutablePointer<Int>) {
        var next = own[ThreadWords.programCounter]
        var frame = own[ThreadWords.frame]
        while true {
            let slots = facts.slots[next]
            facts.liveness.clear(copy + frame, slots: slots, next: next)
            if !facts.isFunction[next] { return }
            next = own[frame + slots]
            frame = own[frame + slots + 1]
        }
    }

    private func encodeShared(into words: UnsafeMutablePointer<Int>) -> Int {
        var end = state.encodeShared(words)
        for word in bytecode.plainWords {
            end.pointee = self.words[word]
            end += 1
        }
        for start in bytecode.listStarts {
            let count = self.words[start] + 1
            end.update(from: self.words + start, count: count)
            end += count
        }
        return end - words
    }

    package func decode(_ components: UnsafePointer<UnsafePointer<Int>>) {
        driver.resume()
        failed.pointee = nil
        decodeShared(components[0])
        for thread in 0..<state.threadCount { decode(thread, components[thread + 1]) }
        state.finishDecoding()
    }

    private func decodeShared(_ words: UnsafePointer<Int>) {
        var next = state.decodeShared(words)
        for word in bytecode.plainWords {
            self.words[word] = next.pointee
            next += 1
        }
        for start in bytecode.listStarts {
            let count = next.pointee + 1
            (self.words + start).update(from: next, count: count)
            next += count
        }
        for number in bytecode.threads.indices where bytecode.threads[number].seat != 0 {
            let holder = state.object(bytecode.threads[number].seat).value
            if holder != 0 { regions[holder - 1] = starts[number] }
        }
    }

    private func decode(_ thread: Int, _ words: UnsafePointer<Int>) {
        var next = state.decode(thread, words)
        if state.hasEnded(thread) { return }
        let own = self.words + regions[thread]
        for word in ThreadWords.state {
            own[word] = next.pointee
            next += 1
        }
        own[ThreadWords.argument] = state.operation(of: thread).a
        (own + ThreadWords.count).update(from: next, count: own[ThreadWords.stack] - ThreadWords.count)
    }
}

/// Checks in debug builds that a state is the same after it was restored.
extension Engine {
    package func isRestored(from components: UnsafePointer<UnsafePointer<Int>>) -> Bool {
        let before = portrait
        keepState(1)
        scramble()
        decode(components)
        let after = portrait
        let isSame = after == before
        if !isSame { print(before, after, separator: "\n") }
        goBack(toState: 1)
        return isSame
    }

    /// The whole state, without slots that no instruction will read.
    private struct Portrait: Equatable {
        var machine: MachinePortrait
        /// The shared words. Lists end with their last value.
        var shared: [[Int]]
        /// For each thread that has not ended: the start of its memory, and its words.
        var threads: [[Int]]
    }

    private var portrait: Portrait {
        let lists = bytecode.listStarts.map { start in (start...start + words[start]).map { words[$0] } }
        return Portrait(
            machine: state.portrait, shared: [bytecode.plainWords.map { words[$0] }] + lists,
            threads: (0..<state.threadCount).filter { !state.hasEnded($0) }.map(portrait(of:)))
    }

    private func portrait(of thread: Int) -> [Int] {
        let own = words + regions[thread]
        let end = own[ThreadWords.stack]
        // With room to spare: `clearDeadSlots` changes only slots of frames, which are before the end.
        var portrait = (0..<end).map { own[$0] } + Array(repeating: 0, count: Liveness.mostSlots)
        portrait.withUnsafeMutableBufferPointer { clearDeadSlots(own, in: $0.baseAddress!) }
        portrait.removeSubrange(end...)
        // These words are not part of the state: see `ThreadWords`.
        portrait[ThreadWords.hasLooped] = 0
        portrait[ThreadWords.hasProgressed] = 0
        portrait[ThreadWords.recorded] = 0
        if !readsArgument(bytecode.code[own[ThreadWords.programCounter]].opcode) { portrait[ThreadWords.argument] = 0 }
        return [regions[thread]] + portrait
    }

    /// Whether the instruction that follows an operation compares its result with its argument, or adds the two.
    private func readsArgument(_ opcode: Opcode) -> Bool { opcode == .compared || opcode == .added }

    /// Overwrites all that `decode` restores, so that a part that it does not restore is noticed.
    private func scramble() {
        state.scramble()
        for word in 0..<bytecode.initialWords.count { words[word] = .min }
        for number in 0...bytecode.threads.count {
            let own = words + starts[number]
            let end = number == bytecode.threads.count ? wordCount : starts[number + 1]
            for word in 0..<end - starts[number] where word != ThreadWords.index { own[word] = .min }
        }
        for thread in 0..<bytecode.threads.count + 1 where isSeated(thread) { regions[thread] = .min }
    }

    /// Whether the machine's thread of this number was started by another thread.
    private func isSeated(_ thread: Int) -> Bool {
        thread > bytecode.threads.count { $0.seat == 0 }
    }
}
