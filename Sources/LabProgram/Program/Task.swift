import LabSyntax

extension Program {
    /// The limits for a learner's solution, from `task { at most 1 mutex; no sleep }`, and what is compared with them.
    package struct Task: Sendable {
        package var rules: [Rule]
        /// The words of the learner's own code, in which `no` forbids words: the file without what is given,
        /// parameters, claims, specifications, `finally` and `task`.
        package var ownWords: [SourceWord]
        /// The number of lines of code, without claims, specifications, `finally` and `task`.
        package var lines: Int

        package struct Rule: Sendable {
            package enum Kind: Sendable {
                case atMost(Int, TaskQuantity)
                /// A forbidden word of the language.
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
