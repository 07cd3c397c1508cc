import LabSyntax
import Trace

extension Program {
    /// What the file says of its runs, in one `expect`. All claims together make the `Expectation` that runs are held to.
    package struct Claim: Sendable {
        package enum Kind: Sendable {
            /// Every run completes.
            case completes
            /// Runs complete or end in one of these ways, and each of these ways is to be found.
            case findings([OutcomeKind])
            /// At the end of every run that completes.
            case always(Expression)
            /// At the end of no run.
            case never(Expression)
            /// At the end of one run at least.
            case sometimes(Expression)
            /// The values at the end are one of the rows, and each row is to be found.
            case outcomes([Place], rows: [Row])
        }

        /// The values at the end of a run, of the places in their order.
        package struct Row: Sendable {
            package var values: [Final]
            /// As the file has it.
            package var text: String
        }

        /// A value at the end: constants.
        package enum Final: Sendable {
            case value(Expression)
            /// What a list holds.
            case list([Expression])
        }

        package var kind: Kind
        /// The memory model that it is about. Nil: any.
        package var model: MemoryModel?
        /// The claim as the file has it, without the word `expect`.
        package var text: String
        package var site: Site
    }
}
