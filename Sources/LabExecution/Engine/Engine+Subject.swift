import LabSyntax
import Machine

/// What exploration wants of a program: run it again and again, and go back.
extension Engine: RevisitableSubject {
    package func execute(_ chooser: any Chooser) -> Verdict { run(chooser) }

    package func keepState(_ number: Int) {
        kept.reserve((number + 1) * wordCount, keeping: number * wordCount)
        (kept.base + number * wordCount).update(from: words, count: wordCount)
        driver.keep(number)
    }

    package func execute(fromState number: Int, _ chooser: any Chooser) -> Verdict {
        goBack(toState: number)
        return goOn(chooser)
    }

    /// Goes back to a state of this execution that was kept.
    package func goBack(toState number: Int) {
        words.update(from: kept.base + number * wordCount, count: wordCount)
        driver.goBack(to: number)
        failed.pointee = nil
    }

    /// The machine's state, to look at.
    package var machine: MachineState { state }

    /// The line of the failure, or the instructions that the threads had reached: of a deadlock, those in the cycle.
    package var place: Int {
        if let stop = failed.pointee { return stop.line }
        if driver.verdict == .completed { return 0 }
        var hash = StateHash()
        for index in driver.stuckThreads { hash.addInAnyOrder(thread(Int(index))[ThreadWords.programCounter]) }
        return Int(truncatingIfNeeded: hash.value)
    }

    /// A number that is the same for states from which the same can happen.
    package var stateHash: UInt64 {
        var hash = StateHash()
        state.hash(into: &hash)
        hash.add(Int(verdict?.rawValue ?? .max))
        for word in bytecode.plainWords { hash.add(words[word]) }
        for start in bytecode.listStarts {
            for word in start...start + words[start] { hash.add(words[word]) }
        }
        for index in 0..<state.threadCount where state.thread(index).status != .ended {
            let thread = thread(index)
            // What the last operation's argument was is in its thread's next operation, if it still matters.
            for word in 0..<thread[ThreadWords.stack] where word != ThreadWords.argument { hash.add(thread[word]) }
        }
        return hash.value
    }
}
