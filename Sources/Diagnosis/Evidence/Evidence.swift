import Trace

/// The evidence from a number of runs of one program: those of a search under the scheduler, or some on real threads.
package struct Evidence: Equatable, Sendable {
    /// The observations of one outcome.
    package struct Sighting: Equatable, Sendable {
        /// On real threads, the number of runs with the outcome; for a search, the number of distinct findings.
        package var count: Int
        /// The outcome of the first of them.
        package var outcome: Outcome
        /// The execution that had it first. Nil on real threads.
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
        /// As the scenario's source is named.
        package var file: String
        /// From 1.
        package var line: Int

        package init(file: String, line: Int) {
            self.file = file
            self.line = line
        }
    }

    /// One execution of a search.
    package struct Execution: Equatable, Sendable {
        /// Which one it was, from 1.
        package var number: Int
        /// The schedule as text, shrunk as far as possible. Empty if no step was taken.
        package var schedule: String
        /// The options of `replay` without which its choices mean something else: ` --spurious 1`.
        package var options: String

        package init(number: Int, schedule: String, options: String = "") {
            self.number = number
            self.schedule = schedule
            self.options = options
        }
    }

    /// The runs that showed one of the promised warnings.
    package struct Warning: Equatable, Sendable {
        package var kind: WarningKind
        /// The number of runs.
        package var count: Int
        /// The first of them, by its number among the runs that were examined. Nil on real threads.
        package var first: Execution?

        package init(_ kind: WarningKind, count: Int, first: Execution? = nil) {
            self.kind = kind
            self.count = count
            self.first = first
        }
    }

    /// Executions that were cut off, and after how many steps: how they continue is not known.
    package struct Cut: Equatable, Sendable {
        package var executions: Int
        package var steps: Int

        package init(executions: Int, steps: Int) {
            self.executions = executions
            self.steps = steps
        }
    }

    /// Whether a thread can wait by looping: there is a state to which it alone comes back, by its own steps and passing time.
    package enum BusyWaiting: Equatable, Sendable {
        case none
        /// What the thread is about to do in the state, and a schedule that leads there and around.
        case found(String, Execution, Place?)
        /// There are too many states.
        case unknown
    }

    package var runtime: TraceHeader.Runtime
    /// The number of runs; for a search, of executions.
    package var runs: Int
    /// The runs, graphs or final states that were seen to end.
    package var ended: Int
    /// Nil: every execution was followed to its end.
    package var cut: Cut?
    /// The states that were visited, if they were searched.
    package var visited = 0
    package var extent: Extent
    /// One for each outcome that was seen, in the order of `OutcomeKind`. A search does not record executions that
    /// completed, if they are allowed to.
    package var sightings: [Sighting]
    /// The sought states (`Runnable.soughtStates`) that some run ended in.
    package var seenStates: Set<Int>
    /// The number of runs that were examined for warnings: none if the scenario promises none. A search does not see
    /// warnings, so these are random runs after it.
    package var examined: Int
    /// The promised warnings that were seen.
    package var warnings: [Warning]
    /// Why the evidence is unreliable, such as how a repeated run behaved differently: in two words, and after a colon in a
    /// sentence without its full stop.
    package var discrepancy: String?

    /// What of the program was not under control, as a sentence without its full stop. Nil: nothing.
    package var escape: String?

    /// If the program must not wait busily: what a search for that has shown.
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

    /// Whether it shows nothing of how the program's runs end: there was none, or each was cut off, and not everything was tried.
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

    /// The same with another name of a source file.
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
