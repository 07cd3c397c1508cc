import LabSyntax
import Trace

extension Program {
    /// A claim about the file's runs, from one `expect` or `invariant`. All claims together make up the `Expectation` that runs must
    /// meet.
    package struct Claim: Sendable {
        package enum Kind: Sendable {
            /// Every run completes.
            case completes
            /// Runs complete or end in one of these ways, each of which must occur.
            case findings([OutcomeKind])
            /// Some runs show these warnings, each of which must occur.
            case warnings([WarningKind])
            /// True at the end of every run that completes.
            case always(Expression)
            /// True at the end of no run.
            case never(Expression)
            /// True at the end of at least one run.
            case sometimes(Expression)
            /// True in at least one state of every run.
            case eventually(Expression)
            /// True in every state of every run.
            case invariant(Expression)
            /// The values at the end match one of the rows, and each row must occur.
            case outcomes([Place], rows: [Row])
        }

        /// The values at the end of a run, in the order of the places.
        package struct Row: Sendable {
            package var values: [Final]
            /// As written in the file.
            package var text: String
        }

        /// A value at the end: constants.
        package enum Final: Sendable {
            case value(Expression)
            /// The contents of a list.
            case list([Expression])
        }

        package var kind: Kind
        /// The memory model that it refers to. Nil: any.
        package var model: MemoryModel?
        /// The claim as written in the file, without its first word, except for an invariant.
        package var text: String
        package var site: Site
    }
}
