import Authoring
import Exploration
import Machine
import Trace

/// Many controlled runs of a scenario, each with the next seed.
package struct RepetitionPlan {
    /// The scenario, with its parameters set.
    package var scenario: any Runnable
    package var rules: Rules
    /// The seed of the first run.
    package var seed: UInt64
    /// The number of runs.
    package var count: Int
    /// The time limit of a run, in nanoseconds. Only time in which the run computes or sleeps counts.
    package var timeout: UInt64
    /// The number of processes.
    package var jobs: Int

    package init(_ scenario: any Runnable, rules: Rules, seed: UInt64, count: Int, timeout: UInt64, jobs: Int) {
        self.scenario = scenario
        self.rules = rules
        self.seed = seed
        self.count = count
        self.timeout = timeout
        self.jobs = jobs
    }

    /// The plan of a single one of the runs.
    ///
    /// - Parameter number: the number of the run, from 0.
    package func run(_ number: Int) -> RunPlan {
        RunPlan(scenario, .controlled(seed: seed &+ UInt64(number)), timeout: timeout, rules: rules)
    }
}

/// The result of many runs.
package struct RepetitionResult: Sendable {
    package var tally = OutcomeTally()
    /// The signal that ended the repetition early. Nil: none did.
    package var signal: Int32?
    /// Whether runs that share a process differ from the same runs in processes of their own. Nothing was counted then.
    package var isUnrepeatable = false
}

/// How often each outcome occurred in many runs, and in which run first. Runs can be added in any order.
package struct OutcomeTally: Equatable, Sendable {
    package struct Entry: Equatable, Sendable {
        package fileprivate(set) var count = 0
        /// The number of the first run, from 0.
        package fileprivate(set) var first = Int.max
    }

    private var entries: [OutcomeKind: Entry] = [:]

    package init() {}

    package subscript(_ kind: OutcomeKind) -> Entry? { entries[kind] }

    package var count: Int { entries.values.reduce(0) { $0 + $1.count } }

    /// The outcomes that occurred, in the order in which reports list outcomes.
    package var kinds: [OutcomeKind] { OutcomeKind.allCases.filter { entries[$0] != nil } }

    /// - Parameters:
    ///   - count: the number of runs. Nothing is added if it is 0.
    ///   - first: the number of the first of these runs.
    package mutating func add(_ kind: OutcomeKind, count: Int = 1, first: Int) {
        guard count > 0 else { return }
        entries[kind, default: Entry()].count += count
        entries[kind]!.first = min(first, entries[kind]!.first)
    }
}
