import Execution
import Machine

extension Engine {
    /// A state of a run, to come back to.
    package final class Snapshot {
        fileprivate let state = MachineState()
        fileprivate let words: UnsafeMutablePointer<Int>
        fileprivate let count: Int
        fileprivate var present = Present()

        fileprivate init(words count: Int) {
            self.count = count
            words = .allocate(capacity: count)
            words.initialize(repeating: 0, count: count)
        }

        deinit {
            state.deallocate()
            words.deallocate()
        }
    }

    /// Keeps the present state.
    package func snapshot() -> Snapshot {
        let snapshot = Snapshot(words: wordCount)
        save(into: snapshot)
        return snapshot
    }

    /// Keeps the present state in the place of an earlier one of this engine.
    package func save(into snapshot: Snapshot) {
        snapshot.state.copy(from: state)
        snapshot.words.update(from: words, count: wordCount)
        snapshot.present = present.pointee
    }

    /// Back to a state that this engine was in. What the schedule says of the time before is right only if that was on this
    /// very run.
    package func restore(_ snapshot: Snapshot) {
        precondition(snapshot.count == wordCount, "a snapshot of another program")
        state.copy(from: snapshot.state)
        words.update(from: snapshot.words, count: wordCount)
        present.pointee = snapshot.present
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

    /// The threads that can step, and in how many ways: for those who choose by themselves.
    package var enabledSteps: [(thread: Int, ways: Int)] {
        guard verdict == nil else { return [] }
        return (0..<state.threadCount).filter { state.isEnabled($0) }.map { ($0, state.alternatives(of: $0)) }
    }

    /// Takes a step that `enabledSteps` names.
    package func step(_ thread: Int, way: Int = 0) { take(thread, way) }

    /// When no thread can step: lets time pass. False: nothing will ever happen, and the verdict is a deadlock.
    package func letTimePass() -> Bool {
        if state.passTime() { return true }
        present.pointee.verdict = .deadlock
        return false
    }
}
