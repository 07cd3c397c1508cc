import Machine
import Trace

/// How often each terminal state occurred, with the schedule of the first execution that reached it.
package struct TerminalTable: Sendable {
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
    /// The number of executions that ended in states with no room in the table.
    package private(set) var others = 0
    private var index: [TerminalState: Int] = [:]

    /// A longer table would not be read. One of several machines keeps more rows, because only all machines together
    /// know which states come first.
    private static let mostRows = 1000
    private static let mostRowsOfShare = 100_000
    private var most = Self.mostRows
    /// Limits the count of a state, so that the sums in a report do not overflow.
    private static let mostOfState = 1 << 52

    package init() {}

    /// Makes this the table of one of several machines.
    package mutating func becomeShare() { most = Self.mostRowsOfShare }

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

    package mutating func add(_ other: TerminalTable) {
        for row in other.rows { add(row.state, count: row.count) { row.schedule } }
        addOthers(other.others)
    }

    package mutating func addOthers(_ count: Int) { others = Self.sum(others, count) }

    private static func sum(_ one: Int, _ other: Int) -> Int {
        min(min(one, mostOfState) + min(other, mostOfState), mostOfState)
    }
}

/// How executions ended: an outcome, and the contents of memory.
package struct TerminalState: Hashable, Sendable {
    package let kind: OutcomeKind
    package let memory: [MemoryWord]

    package init(_ kind: OutcomeKind, _ memory: [MemoryWord]) {
        self.kind = kind
        self.memory = memory
    }
}
