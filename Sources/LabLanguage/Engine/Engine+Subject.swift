import Machine

/// What exploration wants of a program: run it again and again, and go back.
extension Engine: RevisitableSubject {
    package func execute(_ chooser: any Chooser) -> Verdict { run(chooser) }

    package func keepState(_ number: Int) {
        while kept.count <= number { kept.append(snapshot()) }
        save(into: kept[number])
    }

    package func execute(fromState number: Int, _ chooser: any Chooser) -> Verdict {
        restore(kept[number])
        return goOn(chooser)
    }

    /// The machine's state, to look at.
    package var machine: MachineState { state }

    /// The line of the failure, or the instructions that the threads had come to: of a deadlock, those in the circle.
    package var place: Int {
        if let stop = present.pointee.failure { return stop.line }
        var hash = StateHash()
        let list = UnsafeBufferPointer(start: enabled, count: state.stuckThreads(into: enabled))
        for index in list {
            hash.addInAnyOrder(thread(Int(index))[ThreadWords.programCounter])
        }
        return Int(truncatingIfNeeded: hash.value)
    }
}
