/// States of the present execution to which the driver can go back, so that a search need not repeat the steps that
/// lead to them.
extension Driver {
    /// One such state: the machine's, and what the driver and the log have to restore.
    final class Kept {
        @exclusivity(unchecked) var state = PackedState()
        var verdict: Verdict?
        var current = 0
        var steps = 0
        var logLength = 0
    }

    /// Keeps the present state under this number, from 0 on.
    package func keep(_ number: Int) {
        while present.pointee.kept.count <= number { present.pointee.kept.append(Kept()) }
        let kept = present.pointee.kept[number]
        state.encode(into: &kept.state)
        kept.verdict = present.pointee.verdict
        kept.current = present.pointee.current
        kept.steps = present.pointee.steps
        kept.logLength = present.pointee.log.length
        present.pointee.observers.keep(number)
    }

    /// Goes back to a state of this execution that was kept.
    package func goBack(to number: Int) {
        let kept = present.pointee.kept[number]
        state.decode(kept.state)
        present.pointee.verdict = kept.verdict
        present.pointee.current = kept.current
        present.pointee.steps = kept.steps
        present.pointee.restoredSteps = kept.steps
        present.pointee.isListFresh = false
        present.pointee.keepsList = false
        // `wakes` is about the last step. Whether that step closed a cycle was examined before the state was kept.
        present.pointee.wakes = false
        present.pointee.log.cut(to: kept.logLength)
        beginCycleSearch(present.pointee.cycleSearch)
        present.pointee.observers.goBack(to: number)
    }
}
