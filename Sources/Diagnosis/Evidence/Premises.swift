/// The assumptions of a complete search. It is a proof under these assumptions, which are named wherever it is called a
/// proof.
package struct Premises: Equatable, Sendable {
    /// What may happen spuriously: the end of a wait on a condition, or the failure of a weak compare-exchange.
    package struct Spurious: Equatable, Sendable {
        /// The maximum number of spurious events in one execution.
        package var limit: Int
        /// What was searched with spurious events, in addition to a search without them. Nil: the search itself allowed
        /// them.
        package var apart: Explored?
        /// Whether the program has only weak compare-exchanges, and no waits on conditions.
        package var isOfUpdates: Bool

        package init(limit: Int, apart: Explored? = nil, isOfUpdates: Bool = false) {
            self.limit = limit
            self.apart = apart
            self.isOfUpdates = isOfUpdates
        }
    }

    /// The memory model of the executions. Nil: all models, because every order is seqcst and no execution has a data
    /// race.
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
