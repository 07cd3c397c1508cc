import Machine
import Trace

/// How often executions of a search ended in each terminal state, with the schedule of the first that did: the table
/// that `explore --outcomes` prints.
package struct TerminalTable: Sendable {
    /// A terminal state, and the number of executions that ended in it.
    package struct Row: Sendable {
        package let state: TerminalState
        package var count: Int
        package let schedule: Schedule

        package init(_ state: TerminalState, count: Int, schedule: Schedule) {
            self.state = state
            self.count = count
            self.schedule = schedule
        }
    }

    /// The states in the order in which they first occurred.
    package private(set) var rows: [Row] = []
    /// The number of executions that ended in states for which the table has no room.
    package private(set) var others = 0
    /// By state: the index of its row.
    private var index: [TerminalState: Int] = [:]

    /// The maximum number of rows: a longer table would not be read. If several machines share a search, each keeps up
    /// to `mostRowsOfShare`, because only their tables together show which states come first.
    private static let mostRows = 1000
    private static let mostRowsOfShare = 100_000
    private var most = Self.mostRows
    /// The maximum of a sum of counts, so that the sums in a report do not overflow.
    private static let mostInSum = 1 << 52

    package init() {}

    /// Makes this the table of one of several machines that share a search.
    package mutating func becomeShare() { most = Self.mostRowsOfShare }

    /// Counts executions that ended in the state. `schedule` is called only if the state is new.
    package mutating func add(_ state: TerminalState, count: Int = 1, _ schedule: () -> Schedule) {
        if let place = index[state] {
            rows[place].count = Self.sum(rows[place].count, count)
        } else if rows.count < most {
            index[state] = rows.count
            rows.append(Row(state, count: count, schedule: schedule()))
        } else {
            addOthers(count)
        }
    }

    /// Adds the counts of another table. Rows that are new come after those of this one.
    package mutating func add(_ other: TerminalTable) {
        for row in other.rows { add(row.state, count: row.count) { row.schedule } }
        addOthers(other.others)
    }

    /// Counts executions that ended in states for which the table has no room.
    package mutating func addOthers(_ count: Int) { others = Self.sum(others, count) }

    private static func sum(_ one: Int, _ other: Int) -> Int {
        min(min(one, mostInSum) + min(other, mostInSum), mostInSum)
    }
}

/// A state in which executions end: the outcome, and the values in memory.
package struct TerminalState: Hashable, Sendable {
    package let kind: OutcomeKind
    package let memory: [MemoryWord]

    package init(_ kind: OutcomeKind, _ memory: [MemoryWord]) {
        self.kind = kind
        self.memory = memory
    }
}
