import LabSyntax

extension Program {
    /// `task { at most 1 mutex; no sleep }`: limits that a solution has to keep.
    package struct Task: Sendable {
        package var rules: [Rule]
        /// The words of the code that is not given, and not part of the claims: what a rule may forbid.
        package var ownWords: [SourceWord]
        /// The number of lines of code, without the claims.
        package var lines: Int

        package struct Rule: Sendable {
            package enum Kind: Sendable {
                case atMost(Int, TaskQuantity)
                case no(String)
                case noBusyWaiting
                /// On every path through the thread's code there is a call of the function.
                case each(thread: Int, calls: Int)
            }

            package var kind: Kind
            /// As written, on one line, without the words that several share: `1 mutex`, `sleep`.
            package var text: String
            package var site: Site
        }

        /// Whether a solution must not spin.
        package var forbidsBusyWaiting: Bool {
            rules.contains { if case .noBusyWaiting = $0.kind { true } else { false } }
        }
    }
}
