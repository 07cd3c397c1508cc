import Machine

/// Compares a state with what was written down of it, in debug builds.
extension Engine {
    package func isRestored(from components: UnsafePointer<UnsafePointer<Int>>) -> Bool {
        let before = portrait
        keepState(1)
        scramble()
        decode(components)
        let after = portrait
        let isSame = after == before
        if !isSame {
            dump(before)
            dump(after)
        }
        goBack(toState: 1)
        return isSame
    }

    /// The whole state, without what no instruction reads any more.
    private struct Portrait: Equatable {
        var machine: MachinePortrait
        /// The shared words; contents of lists up to their ends.
        var shared: [[Int]]
        /// By thread that has not ended: where its memory is, and the words in it.
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
        // With room for slots beyond the end, which are cleared too.
        var portrait = (0..<end).map { own[$0] } + Array(repeating: 0, count: 64)
        portrait.withUnsafeMutableBufferPointer { clearDeadSlots(own, in: $0.baseAddress!) }
        portrait.removeSubrange(end...)
        // Of the step before.
        portrait[ThreadWords.hasLooped] = 0
        portrait[ThreadWords.hasProgressed] = 0
        if !readsArgument(bytecode.code[own[ThreadWords.programCounter]].opcode) { portrait[ThreadWords.argument] = 0 }
        return [regions[thread]] + portrait
    }

    /// Whether the instruction that follows an operation compares its result with its argument, or adds the two.
    private func readsArgument(_ opcode: Opcode) -> Bool { opcode == .compared || opcode == .added }

    /// Overwrites everything, so that what is not restored is not right by chance; apart from what never changes.
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

    /// Whether the machine's thread of this number is one that another thread has started.
    private func isSeated(_ thread: Int) -> Bool {
        thread > bytecode.threads.count { $0.seat == 0 }
    }
}
