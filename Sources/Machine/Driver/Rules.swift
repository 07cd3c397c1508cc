/// What may happen in executions apart from the program's own choices: which waiter a signal wakes, when time limits
/// pass, which writes a read may see, and when an execution is given up. Most are options of the command line.
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
        /// When no thread can do anything but repeat itself: processors are infinitely fast.
        case lazy
        /// At any moment: processors may be arbitrarily slow.
        case any
    }

    /// Which cycles a fair scheduler can follow forever.
    package enum Fairness: String, Sendable, CaseIterable {
        /// A thread that is enabled infinitely often steps infinitely often, even if it is disabled in between: a
        /// thread that waits for a lock which others take and release forever gets it.
        case strong
        /// A thread that remains enabled steps eventually.
        case weak
    }

    /// Which writes a read may see.
    package var model = MemoryModel.sc
    /// Whether the program is known to behave under every model as under sequential consistency. Its executions then
    /// follow `sc`.
    package var isSequential = false
    /// The model that executions follow.
    package var followedModel: MemoryModel { isSequential ? .sc : model }
    /// An execution is given up after this number of steps.
    package var maximumSteps: Int
    /// The greatest step limit that a user can ask for.
    package static let mostSteps = 10_000_000
    /// The greatest step limit under the memory model.
    package var mostStepsOfModel: Int { followedModel == .sc ? Self.mostSteps : WeakMemory.mostSteps }
    /// How many times in one execution something may happen spuriously: a wait on a condition ends without a signal, or
    /// a weak compare-exchange fails although it finds the expected value.
    package var spuriousWakeups: Int
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

    /// Lowers the step limit to the greatest that the memory model allows.
    package mutating func limitSteps() { maximumSteps = min(maximumSteps, mostStepsOfModel) }
}
