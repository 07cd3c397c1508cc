/// What may happen in an execution beyond what the program itself leaves open.
package struct Rules: Equatable, Sendable {
    /// Which of a condition's waiters a signal wakes.
    package enum Waiters: String, Sendable, CaseIterable {
        /// Any one, as POSIX allows.
        case any
        /// The one that came first.
        case fifo
    }

    /// When a wait with a time limit may time out.
    package enum Timeouts: String, Sendable, CaseIterable {
        /// When no thread can run but to repeat itself: processors are infinitely fast.
        case lazy
        /// At any moment: processors may be arbitrarily slow.
        case any
    }

    /// Which cycles a fair scheduler can follow forever.
    package enum Fairness: String, Sendable, CaseIterable {
        /// A thread that can step again and again steps again and again, even if it cannot in between: a thread that waits
        /// for a lock which others release and take forever gets it.
        case strong
        /// A thread that can step all the time steps at some time.
        case weak
    }

    /// Which writes a read may see.
    package var model = MemoryModel.sc
    /// Whether the program behaves under the model as under sequential consistency, so that its executions are those.
    package var isSequential = false
    /// The model that executions follow.
    package var followedModel: MemoryModel { isSequential ? .sc : model }
    /// An execution is given up after this number of steps.
    package var maximumSteps = 1_000_000
    /// The greatest limit of steps that can be asked for.
    package static let mostSteps = 10_000_000
    /// The greatest limit of steps under the memory model.
    package var mostStepsOfModel: Int { followedModel == .sc ? Self.mostSteps : WeakMemory.mostSteps }
    /// The number of waits on conditions that may end without a signal in one execution, and of weak compare-exchanges that
    /// may fail though they find the expected value, together.
    package var spuriousWakeups = 0
    package var waiters = Waiters.any
    package var timeouts = Timeouts.lazy
    package var fairness = Fairness.strong
    /// Whether an execution ends in a deadlock as soon as some threads wait for each other in a cycle, though others
    /// could continue.
    package var endsAtCycles = true

    package init(maximumSteps: Int = 1_000_000, spuriousWakeups: Int = 0) {
        self.maximumSteps = maximumSteps
        self.spuriousWakeups = spuriousWakeups
    }

    /// Keeps to the greatest limit of steps under the memory model.
    package mutating func limitSteps() { maximumSteps = min(maximumSteps, mostStepsOfModel) }
}
