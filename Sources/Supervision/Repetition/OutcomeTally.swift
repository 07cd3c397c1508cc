import Trace

/// How often each outcome occurred in many runs, and in which run first. Runs may be added in any order.
package struct OutcomeTally: Equatable, Sendable {
    package struct Entry: Equatable, Sendable {
        package fileprivate(set) var count = 0
        /// The number of the first run, from 0.
        package fileprivate(set) var first = Int.max
    }

    private var entries: [OutcomeKind: Entry] = [:]

    package init() {}

    package subscript(_ kind: OutcomeKind) -> Entry? { entries[kind] }

    /// The number of runs.
    package var count: Int { entries.values.reduce(0) { $0 + $1.count } }

    /// The outcomes that occurred, in the order in which reports list outcomes.
    package var kinds: [OutcomeKind] { OutcomeKind.allCases.filter { entries[$0] != nil } }

    /// - Parameters:
    ///   - count: the number of runs. Nothing is added if it is 0.
    ///   - first: the number of the first of them.
    package mutating func add(_ kind: OutcomeKind, count: Int = 1, first: Int) {
        guard count > 0 else { return }
        entries[kind, default: Entry()].count += count
        entries[kind]!.first = min(first, entries[kind]!.first)
    }
}
