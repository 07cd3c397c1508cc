/// What a complete search of a program rests on: it is a proof for what it names here, and says so wherever it is called one.
package struct Premises: Equatable, Sendable {
    /// What may happen spuriously: a wait on a condition ends without a signal, or a weak compare-exchange fails without a reason.
    package struct Spurious: Equatable, Sendable {
        /// How often in one execution.
        package var limit: Int
        /// What was looked at in addition to a search without it. Nil: the search itself allowed it.
        package var apart: Explored?
        /// Whether the program has weak compare-exchanges alone, and no waits on conditions.
        package var isOfUpdates: Bool

        package init(limit: Int, apart: Explored? = nil, isOfUpdates: Bool = false) {
            self.limit = limit
            self.apart = apart
            self.isOfUpdates = isOfUpdates
        }
    }

    /// The memory model of the executions. Nil: all of them, because every order is seqcst and no execution has a data race.
    package var model: String?
    /// Whether time was assumed to pass only when every thread is blocked or repeats itself.
    package var passesTime: Bool
    /// Nil: nothing in the program can happen spuriously.
    package var spurious: Spurious?

    package init(model: String? = nil, passesTime: Bool = false, spurious: Spurious? = nil) {
        self.model = model
        self.passesTime = passesTime
        self.spurious = spurious
    }
}
