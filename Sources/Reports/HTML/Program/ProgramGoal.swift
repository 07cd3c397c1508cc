import Diagnosis
import Exploration
import Trace

/// A goal on the page of a program, such as a deadlock: the reader steps the program's threads and tries to reach it.
/// The goal is a set of states of the program's `StateMap`, and is stored as each state's distance from that set.
package struct ProgramGoal: Sendable {
    /// The choice of a goal, for a page with a single goal.
    package enum Choice: Sendable {
        /// The states with this outcome: those in which a run ends with it or, for a data race, a livelock or
        /// starvation, those in which it can be seen while the run continues.
        case outcome(OutcomeKind)
        /// The states that the map marks as goals (`ShownState.isGoal`), with an instruction for the reader, such as
        /// `Reach a state in which both threads are inside`.
        case marked(String)
    }

    /// A name for the page's style and for tests: the outcome's identifier, or `state`.
    package let name: String
    /// An instruction: `Reach a deadlock`.
    package let title: String
    /// By state, the smallest number of moves to the goal. Nil: the goal cannot be reached.
    package let distances: [Int?]

    private init?(_ name: String, _ title: String, _ states: [Int], _ map: StateMap) {
        if states.isEmpty { return nil }
        self.name = name
        self.title = title
        distances = map.distances(to: states)
    }

    /// The smallest number of moves from the initial state to the goal. 0 if it cannot be reached.
    package var shortest: Int { distances[0] ?? 0 }

    /// - Returns: nil if no state of the program is the goal.
    package static func chosen(_ choice: Choice, in map: StateMap) -> ProgramGoal? {
        switch choice {
        case .outcome(let kind): of(kind, in: map)
        case .marked(let title):
            ProgramGoal("state", title, map.states.indices.filter { map.states[$0].isGoal }, map)
        }
    }

    /// All goals of the program that some state reaches: each kind of failure, and then each end that the program's
    /// file expects to be possible.
    package static func all(in map: StateMap) -> [ProgramGoal] {
        let kinds = OutcomeKind.allCases.filter { $0 != .completed }
        let seen = Set(map.states.flatMap { $0.end?.seen ?? [] }).sorted()
        return kinds.compactMap { of($0, in: map) }
            + seen.compactMap { text in
                let states = map.states.indices.filter { map.states[$0].end?.seen.contains(text) == true }
                return ProgramGoal("state", "Reach an end with \(condition(text))", states, map)
            }
    }

    /// The condition of an expected end: `a == 2` of `sometimes a == 2`.
    static func condition(_ promise: String) -> String {
        String(promise.hasPrefix("sometimes ") ? promise.dropFirst("sometimes ".count) : promise[...])
    }

    private static func of(_ kind: OutcomeKind, in map: StateMap) -> ProgramGoal? {
        var states = map.states.indices.filter { map.states[$0].end?.kind == kind }
        if kind == .race { states += map.states.indices.filter { !map.states[$0].races.isEmpty } }
        for cycle in map.cycles where cycle.kind == kind { states += cycle.states }
        return ProgramGoal(kind.rawValue, title(kind), Array(Set(states)).sorted(), map)
    }

    private static func title(_ kind: OutcomeKind) -> String {
        switch kind {
        case .deadlock: "Reach a deadlock"
        case .livelock: "Reach a livelock"
        case .starvation: "Reach a state in which a thread can starve"
        case .assertion: "Make an assertion fail"
        case .claim, .brokenClaim: "Break a claim"
        case .race: "Reach a data race"
        case .misuse: "Reach a misuse"
        case .leak: "Reach an end with a thread that was never joined"
        case .error: "Make a thread fail"
        case .completed: "Reach the end without a failure"
        case .lockOrder, .timeout, .crash, .interrupted: "Reach '\(kind.rawValue)'"
        }
    }
}
