import Trace

/// What a number of runs of one program have shown: the executions of a search under the scheduler, or runs on real
/// threads. `Judgement` compares it with what the program's author expects.
package struct Evidence: Equatable, Sendable {
    /// The observations of one outcome.
    package struct Sighting: Equatable, Sendable {
        /// On real threads, the number of runs with the outcome; for a search, the number of distinct findings.
        package var count: Int
        /// The outcome of the first of these runs.
        package var outcome: Outcome
        /// The first execution with this outcome. Nil on real threads.
        package var first: Execution?
        /// The line of source that the outcome is about.
        package var place: Place?

        package init(count: Int, outcome: Outcome, first: Execution? = nil, place: Place? = nil) {
            self.count = count
            self.outcome = outcome
            self.first = first
            self.place = place
        }
    }

    /// A line of source.
    package struct Place: Equatable, Sendable {
        /// The file, as the scenario's source names it.
        package var file: String
        /// The line's number, from 1.
        package var line: Int

        package init(file: String, line: Int) {
            self.file = file
            self.line = line
        }
    }

    /// One execution of a search.
    package struct Execution: Equatable, Sendable {
        /// The execution's number, from 1.
        package var number: Int
        /// The schedule as text, shrunk as far as possible. Empty if no step was taken.
        package var schedule: String
        /// The options without which `replay` would understand the schedule differently, each after a space, such as
        /// ` --spurious 1`.
        package var options: String

        package init(number: Int, schedule: String, options: String = "") {
            self.number = number
            self.schedule = schedule
            self.options = options
        }
    }

    /// The runs that showed one warning that the scenario promises.
    package struct Warning: Equatable, Sendable {
        package var kind: WarningKind
        /// The number of runs that showed it.
        package var count: Int
        /// The first run that showed it, numbered among the examined runs. Nil on real threads.
        package var first: Execution?

        package init(_ kind: WarningKind, count: Int, first: Execution? = nil) {
            self.kind = kind
            self.count = count
            self.first = first
        }
    }

    /// The number of executions that were cut off, and the number of steps after which that happened. How these would
    /// continue is not known.
    package struct Cut: Equatable, Sendable {
        package var executions: Int
        package var steps: Int

        package init(executions: Int, steps: Int) {
            self.executions = executions
            self.steps = steps
        }
    }

    /// Whether a thread can wait by looping: whether it can return to a state by its own steps and the passing of time
    /// alone.
    package enum BusyWaiting: Equatable, Sendable {
        case none
        /// The thread's next step in that state, a schedule that leads to the state and once around the loop, and the
        /// step's line.
        case found(String, Execution, Place?)
        /// It is not known, for example because there are too many states.
        case unknown
    }

    package var runtime: TraceHeader.Runtime
    /// The number of runs, or of executions of a search.
    package var runs: Int
    /// The number of runs, graphs or final states in which the program ended.
    package var ended: Int
    /// The executions that were cut off. Nil if there were none, or a search by states visited their states
    /// nevertheless.
    package var cut: Cut?
    /// The number of visited states, if states were searched.
    package var visited = 0
    package var extent: Extent
    /// A sighting for each outcome that was seen, in the order of `OutcomeKind`. A search does not record completed
    /// executions, if completing is allowed.
    package var sightings: [Sighting]
    /// The sought states (`Runnable.soughtStates`) in which some run ended, or which one reached (`expect possible`).
    package var seenStates: Set<Int>
    /// The number of runs that were examined for warnings; 0 if the scenario promises none. A search does not see
    /// warnings: random runs after it are examined instead.
    package var examined: Int
    /// The promised warnings that were seen.
    package var warnings: [Warning]
    /// Why the evidence is unreliable, for example because a repeated run differed: a heading of two words, a colon,
    /// and a sentence without its full stop.
    package var discrepancy: String?

    /// What the program did outside the scheduler's control, as a sentence without its full stop. Nil if it did nothing
    /// of that kind.
    package var escape: String?

    /// Whether a thread can wait by looping. Nil if the program may, or if it was not examined for that.
    package var busyWaiting: BusyWaiting?

    package init(
        _ runtime: TraceHeader.Runtime, runs: Int, _ extent: Extent, ended: Int? = nil, cut: Cut? = nil,
        sightings: [Sighting] = [], seenStates: Set<Int> = [], examined: Int = 0, warnings: [Warning] = [],
        discrepancy: String? = nil,
        busyWaiting: BusyWaiting? = nil
    ) {
        self.runtime = runtime
        self.runs = runs
        self.ended = ended ?? runs
        self.cut = cut
        self.extent = extent
        self.sightings = sightings
        self.seenStates = seenStates
        self.examined = examined
        self.warnings = warnings
        self.discrepancy = discrepancy
        self.busyWaiting = busyWaiting
    }

    /// Adds a sighting of an outcome that was not seen before.
    package mutating func add(_ sighting: Sighting) {
        let order = OutcomeKind.allCases
        sightings.append(sighting)
        sightings.sort { order.firstIndex(of: $0.outcome.kind)! < order.firstIndex(of: $1.outcome.kind)! }
    }

    /// Whether everything was tried.
    package var isProof: Bool {
        if case .all = extent { true } else { false }
    }

    /// Whether it shows nothing of how the program's runs end: no run was seen to end, and not everything was tried.
    package var hasSeenNoEnd: Bool { ended == 0 && sightings.isEmpty && !isProof }

    /// Adds a run that was examined for promised warnings.
    ///
    /// - Parameter execution: the run. Nil on real threads.
    package mutating func add(_ findings: [Finding], promised: [WarningKind], in execution: Execution? = nil) {
        examined += 1
        for kind in promised where findings.contains(where: { $0.code.warning == kind }) {
            if let known = warnings.firstIndex(where: { $0.kind == kind }) {
                warnings[known].count += 1
            } else {
                warnings.append(Warning(kind, count: 1, first: execution))
            }
        }
    }

    /// The evidence with another name for a file, in the places that it names.
    package func renaming(_ file: String, to name: String) -> Evidence {
        func renamed(_ place: Place?) -> Place? {
            place.map { $0.file == file ? Place(file: name, line: $0.line) : $0 }
        }
        var evidence = self
        for index in sightings.indices { evidence.sightings[index].place = renamed(sightings[index].place) }
        if case .found(let step, let execution, let place)? = busyWaiting {
            evidence.busyWaiting = .found(step, execution, renamed(place))
        }
        return evidence
    }

    package func shows(_ kind: WarningKind) -> Bool { warnings.contains { $0.kind == kind } }

    package func shows(_ kind: OutcomeKind) -> Bool { sightings.contains { $0.outcome.kind == kind } }
}
