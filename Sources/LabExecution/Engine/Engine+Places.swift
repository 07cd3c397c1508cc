import Machine

/// The `place` of findings that have no single line, such as a cycle or a leak. Findings with the same place count as
/// the same finding. Elements of an array of threads run the same code, so they are not distinguished, except for
/// starvation.
extension Engine {
    /// The place of a cycle: the threads that repeat, each with its outermost loop. It is the same in all states of a
    /// cycle, and for all cycles of a strongly connected component.
    package func placeOfCycle(_ threads: [Int]) -> Int {
        var hash = StateHash()
        for thread in threads { hash.addInAnyOrder(body(of: thread) << 32 | outermostLoop(of: thread)) }
        return Int(truncatingIfNeeded: hash.value)
    }

    /// The place of a starvation: the threads that starve. Here the elements of an array are distinguished.
    package func placeOfStarvation(_ threads: [Int]) -> Int {
        var hash = StateHash()
        for thread in threads { hash.addInAnyOrder(programNumber(of: thread)) }
        return Int(truncatingIfNeeded: hash.value)
    }

    /// The place of a leak: the declared threads that were neither joined nor detached, whatever they were doing.
    var placeOfLeak: Int {
        let threads = (1..<state.threadCount).filter { !state.thread($0).isJoined && !state.thread($0).isDetached }
        var hash = StateHash()
        for body in Set(threads.map(body)) { hash.addInAnyOrder(body) }
        return Int(truncatingIfNeeded: hash.value)
    }

    /// The number of the thread's body.
    private func body(of thread: Int) -> Int {
        let number = programNumber(of: thread)
        return number == 0 ? bytecode.mainBody : bytecode.threads[number - 1].body
    }

    /// The outermost loop in which the thread is, in the outermost body of its call stack that is in a loop: the
    /// position of the loop's first instruction plus one. 0: the thread is in none.
    private func outermostLoop(of thread: Int) -> Int {
        let own = words + regions[thread]
        var next = own[ThreadWords.programCounter]
        var frame = own[ThreadWords.frame]
        var found = 0
        while true {
            if let loop = bytecode.outermostLoop(around: next - 1) { found = loop + 1 }
            let functions = 0..<bytecode.program.functions.count
            guard let function = functions.first(where: { bytecode.codeRange(of: $0).contains(next - 1) }) else {
                return found
            }
            let slots = bytecode.bodies[function].slots
            next = own[frame + slots]
            frame = own[frame + slots + 1]
        }
    }
}

extension Bytecode {
    /// The first instruction of the outermost loop that contains the instruction. Nil: it is in none.
    fileprivate func outermostLoop(around place: Int) -> Int? {
        (place..<codeCount).compactMap { end in
            switch code[end].opcode {
            case .jump, .jumpBack, .countDown, .awaitAgain: Int(code[end].a) <= place ? Int(code[end].a) : nil
            default: nil
            }
        }.min()
    }
}
