import Machine
import Trace

/// A walk through all states of a small program, the nearest ones first, that looks for states with given properties.
///
/// Nothing is left out: no orders of steps, no exchanged threads. So a property that no visited state has is impossible, if
/// the tour is complete, and the schedule to a state that has one is as short as possible.
package struct StateTour: Sendable {
    /// By property: the schedule of an execution that leads to the first state that has it.
    package private(set) var schedules: [Int: Schedule] = [:]
    /// The number of states that were visited.
    package private(set) var stateCount = 0
    /// Whether all states were visited, or all properties were found.
    package private(set) var isComplete = false

    /// - Parameters:
    ///   - most: the maximum number of states.
    ///   - properties: the number of properties.
    ///   - look: the properties that the subject's present state has. The verdict is nil if the execution goes on from it.
    package init(
        _ subject: any StatefulSubject, _ rules: Rules, most: Int, properties: Int,
        look: (any StatefulSubject, Verdict?) -> [Int]
    ) {
        let space = StateSpace(subject, rules, isReduced: false, exchanges: false)
        var table = StateTable(width: space.width)
        var found: [Int: Int] = [:]
        func note(_ state: Int, _ verdict: Verdict?) {
            for property in look(subject, verdict) where found[property] == nil { found[property] = state }
        }
        _ = table.add(space.begin(), from: 0, by: .passTime)
        if let verdict = space.verdict(of: table.row(0)) { note(0, verdict) }
        var next = 0
        while next < table.count, found.count < properties, table.count <= most {
            let row = table.row(next)
            if space.verdict(of: row) == nil {
                space.load(row)
                note(next, nil)
                space.forEachMove { move, row in
                    let (target, isNew) = table.add(row, from: next, by: move)
                    // The subject is in the state only if the execution has ended there.
                    if isNew, let verdict = space.verdict(of: row) { note(target, verdict) }
                }
            }
            next += 1
        }
        stateCount = table.count
        isComplete = next == table.count || found.count == properties
        schedules = found.mapValues { space.schedule(of: Self.path(to: $0, table)) }
    }

    private static func path(
        to state: Int, _ table: borrowing StateTable
    ) -> [(row: [UInt32], move: StateMove)] {
        var path: [(row: [UInt32], move: StateMove)] = []
        var state = state
        while state != 0 {
            let (parent, move) = table.origin(of: state)
            let row = UnsafeBufferPointer(start: table.row(parent), count: table.width)
            path.append((Array(row), move))
            state = parent
        }
        return path.reversed()
    }
}
