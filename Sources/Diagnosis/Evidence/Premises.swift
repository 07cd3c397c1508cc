/// The assumptions under which a complete search is a proof. Reports name them wherever they call it a proof.
package struct Premises: Equatable, Sendable {
    /// What may happen spuriously: the end of a wait on a condition, or the failure of a weak compare-exchange.
    package struct Spurious: Equatable, Sendable {
        /// The maximum number of spurious events in one execution.
        package var limit: Int
        /// What was searched with spurious events, if that was a second search after a complete one without them. Nil
        /// if the one search allowed them.
        package var apart: Explored?
        /// Whether only weak compare-exchanges can fail spuriously: the program has no waits on conditions.
        package var isOfUpdates: Bool

        package init(limit: Int, apart: Explored? = nil, isOfUpdates: Bool = false) {
            self.limit = limit
            self.apart = apart
            self.isOfUpdates = isOfUpdates
        }
    }

    /// The memory model of the executions. Nil if the result holds under all models, because every order is seqcst and
    /// no execution has a data race.
    package var model: String?
    /// Whether time was assumed to pass only when every thread is blocked or repeats itself.
    package var passesTime: Bool
    /// Nil if nothing in the program can happen spuriously.
    package var spurious: Spurious?

    package init(model: String? = nil, passesTime: Bool = false, spurious: Spurious? = nil) {
        self.model = model
        self.passesTime = passesTime
        self.spurious = spurious
    }
}
