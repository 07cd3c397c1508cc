import LabSyntax
import Machine

/// The engine as a subject of searches, which can execute the program repeatedly and return to earlier states.
extension Engine: RevisitableSubject {
    package func execute(_ chooser: any Chooser) -> Verdict { run(chooser) }

    package var revisitable: (any RevisitableSubject)? { driver.canGoBack ? self : nil }

    package func keepState(_ number: Int) {
        kept.reserve((number + 1) * wordCount, keeping: min(kept.capacity, number * wordCount))
        (kept.base + number * wordCount).update(from: words, count: wordCount)
        driver.keep(number)
    }

    package func execute(fromState number: Int, _ chooser: any Chooser) -> Verdict {
        goBack(toState: number)
        return goOn(chooser)
    }

    /// Goes back to a kept state of this execution.
    package func goBack(toState number: Int) {
        words.update(from: kept.base + number * wordCount, count: wordCount)
        driver.goBack(to: number)
        failed.pointee = nil
    }

    /// The machine's state, for inspection.
    package var machine: MachineState { state }

    /// The place of the finding; 0 if there is none. For a failure it stands for the line or the claim; for a leak,
    /// starvation or endless cycle, for the leaked threads, the starving threads, or the loops in which the threads
    /// are. Otherwise it stands for the instructions that the stuck threads had reached (for a deadlock in a cycle, the
    /// threads of the cycle).
    package var place: Int {
        if let stop = failed.pointee { return stop.isOfClaim ? bytecode.claims[stop.a].place : stop.line }
        switch driver.verdict {
        case .completed, .forever: return 0
        case .endless: return placeOfCycle(driver.cyclingThreads)
        case .starvation: return placeOfStarvation(driver.starvingThreads)
        case .leak: return placeOfLeak
        default: break
        }
        var hash = StateHash()
        for index in driver.stuckThreads { hash.addInAnyOrder(thread(Int(index))[ThreadWords.programCounter]) }
        return Int(truncatingIfNeeded: hash.value)
    }

    /// Nil if the past matters too, because a state may rightly be reached again.
    package var futureHash: UInt64? { mayRepeatItself ? nil : stateHash }

    package var mayRepeatItself: Bool {
        bytecode.hasExpectations || driver.mayPassTimeBesideOthers || rules.followedModel != .sc
    }

    /// A number that is equal for states with the same possible futures.
    package var stateHash: UInt64 {
        var hash = StateHash()
        state.hash(into: &hash)
        hash.add(Int(verdict?.rawValue ?? .max))
        hash.add(Int(truncatingIfNeeded: programState(leavesOutCounters: false)))
        return hash.value
    }

    /// Whether the thread's code has a `progress`, and the thread has not ended.
    package func makesProgress(_ thread: Int) -> Bool {
        guard bytecode.hasProgress, thread < state.threadCount, !state.hasEnded(thread) else { return false }
        // The start of a thread's words identifies it in the program.
        return bytecode.makesProgress.indices.contains {
            bytecode.makesProgress[$0] && starts[$0] == regions[thread]
        }
    }

    /// A hash of the part of the state that is outside the machine.
    func programState(leavesOutCounters: Bool) -> UInt64 {
        var hash = ProgramHash(bytecode, shared: words)
        let counters = leavesOutCounters ? bytecode.counters : .none
        for index in 0..<state.threadCount where state.thread(index).status != .ended {
            hash.add(thread(index), leavingOut: counters)
        }
        return hash.value
    }
}
