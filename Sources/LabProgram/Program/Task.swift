import LabSyntax

extension Program {
    /// `task { at most 1 mutex; no sleep }`: limits for a solution.
    package struct Task: Sendable {
        package var rules: [Rule]
        /// The words that a rule may forbid: those of code that is neither given nor part of the claims.
        package var ownWords: [SourceWord]
        /// The number of lines of code, without the claims.
        package var lines: Int

        package struct Rule: Sendable {
            package enum Kind: Sendable {
                case atMost(Int, TaskQuantity)
                case no(String)
                case noBusyWaiting
                /// Every path through the thread's code calls the function.
                case each(thread: Int, calls: Int)
            }

            package var kind: Kind
            /// The rule as written, on one line, without words that several rules share: `1 mutex`, `sleep`.
            package var text: String
            package var site: Site
        }

        /// Whether a solution must not busy-wait.
        package var forbidsBusyWaiting: Bool {
            rules.contains { if case .noBusyWaiting = $0.kind { true } else { false } }
        }
    }
}
