import Arguments
import Authoring
import Console
import Exploration
import Reports
import Supervision
import Text
import Trace

/// `explore NAME --divide N --to DIR`: begins a search, and divides the rest of it into tasks for many machines.
struct SearchDivision {
    private let folder: NewFolder
    private let count: Int
    private let session: Session

    /// The maximum number of parts into which one machine divides a search for its processes. A division into tasks
    /// begins with the same parts, so that the joined results equal the result of one machine.
    private static let partsOfOneMachine = SearchPlan.mostParts

    /// Nil: the search is not to be divided.
    init?(
        _ arguments: TypedArguments<ExploreAction.Options>, _ session: Session
    ) throws(Complaint) {
        let options = arguments.options
        switch (arguments.divide, arguments.tasks) {
        case (nil, nil): return nil
        case (.some, nil), (nil, .some):
            throw Complaint("\(options.divide.spelling) and \(options.tasks.spelling) belong together: give both")
        case (let count?, let path?):
            self.count = count
            folder = NewFolder(path: path)
            self.session = session
            try folder.requireNew()
        }
        if arguments.against != nil {
            throw Complaint("\(options.divide.spelling) cannot divide the search of a submission: leave out --against")
        }
        let file = session.files.names(arguments.name) ? try session.files.file(arguments.name) : nil
        if session.compiled.names(arguments.name) || file?.program.call != nil {
            throw Complaint(
                "\(options.divide.spelling) divides no search of compiled code: their executions depend on the machine")
        }
    }

    /// The plan with a strategy that can be divided.
    func divisible(_ plan: SearchPlan) throws(Complaint) -> SearchPlan {
        var plan = plan
        let strategy = plan.strategy ?? (plan.rules.followedModel == .sc ? .dpor : .graphs)
        plan.strategy = strategy
        if strategy == .graphs, let part = plan.scenario.partWithoutGraph {
            throw Complaint(
                "--divide: \(part.printable) has no search by graphs yet; a random search can be divided: --strategy random "
                    + "--runs 1000000")
        }
        if strategy == .graphs && plan.goal.countsTerminals {
            throw Complaint(
                "--divide: a search of graphs that counts outcomes cannot be divided: leave out --outcomes, or give --strategy "
                    + "random and --runs")
        }
        if !strategy.isRandom && strategy.isDividedAmongMachines && plan.executions != .max {
            let kind = strategy == .dpor ? "partial orders" : strategy.rawValue
            throw Complaint("--divide: a search by \(kind) is divided as a whole: leave out --runs")
        }
        if strategy.isRandom && plan.executions == .max {
            throw Complaint("--divide: the executions of a random search are divided: say how many, with --runs")
        }
        if strategy.isRandom && plan.executions > DividedSearch.mostExecutions {
            throw Complaint("--divide: at most \(DividedSearch.mostExecutions) executions can be divided")
        }
        guard strategy.isDividedAmongMachines else {
            throw Complaint(
                "--divide: --strategy \(strategy.rawValue) needs one memory for all that it has seen; dpor, graphs and states can "
                    + "be divided, and so can the random strategies")
        }
        return plan
    }

    /// Searches as far as one machine does before it divides a search, and writes the tasks for the rest.
    ///
    /// - Returns: nil if the tasks were written. Otherwise the search is over: the caller reports this result, and then
    ///   calls `writeWhole`.
    func run(_ plan: SearchPlan) throws -> SearchResult? {
        let deadline = plan.end ?? Deadline(after: plan.time)
        var before = UnitReport()
        // Whether the time was over before the division was finished.
        var isCut = false
        let pieces: [SearchPiece]
        if plan.strategy?.isRandom == true {
            pieces = units(plan)
        } else if plan.strategy == .states {
            let result = try firstStates(plan)
            // A search that ended, was stopped or visited all states is not divided: only one that is too large for one
            // machine.
            if result.isOver || result.stop != nil || result.visited != nil { return result }
            before.findings = result.findings
            before.seenStates = result.seenStates
            pieces = (0..<count).map { .part(PlacedPart(place: [$0], .member(.init($0, of: count)))) }
        } else {
            var (result, parts) = try ExploreAction.withProgress(plan) { try SearchSupervisor.divide(plan, watch: $0) }
            try requireTime(result)
            if parts.isEmpty { return result }
            guard parts.count > 1 else {
                let program = session.program
                throw Complaint(
                    plan.strategy == .graphs
                        ? "\(program) cannot divide this search: it has no choices"
                        : "\(program) cannot divide this search: of its random executions, about half should take two steps of two "
                            + "threads on one object in either order, and there are no such steps; 'explore' without --divide searches it"
                )
            }
            before.findings = result.findings
            before.seenStates = result.seenStates
            let divider = try refined(parts, plan, until: deadline)
            if let signal = divider.signal {
                result.interrupt(by: signal)
                return result
            }
            pieces = divider.parts.map { .part($0) }
            isCut = divider.isCut
        }
        try write(pieces, before, plan, isCut: isCut)
        return nil
    }

    /// Writes one task that contains the whole search, and that shows the same result again. It is for scripts that
    /// work on tasks and merge results, if the search was over before it was divided.
    func writeWhole(_ plan: SearchPlan, after result: SearchResult) throws {
        guard result.isOver, result.stop == nil, result.discrepancy == nil else {
            return try StandardOutput.write("no tasks: the search ended before it was divided\n")
        }
        let whole: SearchPart =
            switch plan.strategy {
            case .graphs: .branches([])
            case .states: .member(.init(0, of: 1))
            case .dpor, nil: .orders([])
            case .random, .pct, .pos, .urw, .surw, .delay, .preempt, .dfs, .roundRobin:
                preconditionFailure("such a search is not over before it is divided")
            }
        let pieces = [SearchPiece.part(PlacedPart(place: [0], whole))]
        try create(pieces, UnitReport(), plan, tasks: 1)
        try StandardOutput.write(
            """
            1 task: the search was over before it was divided, so \(folder.path.quotedForShell)/1.task is all of it, for scripts

            """)
    }

    /// Throws if the time was over before the search could be divided.
    private func requireTime(_ result: SearchResult) throws(Complaint) {
        if result.stop == .time {
            throw Complaint(
                "--divide: one machine searches the first executions, and had no time for them: give it more with --time"
            )
        }
    }

    /// Searches by states up to a number that one machine visits quickly, which is enough for a small program.
    private func firstStates(_ plan: SearchPlan) throws -> SearchResult {
        var first = plan
        first.executions = Self.statesOfOneMachine
        let result = try ExploreAction.withProgress(plan) { [first] in
            try SearchSupervisor.run(first, telling: .none, watch: $0).result
        }
        try requireTime(result)
        return result
    }

    /// The maximum number of states of that search: as many as an undivided search visits in its first two turns, of
    /// 1,000 and 100,000 states.
    private static let statesOfOneMachine = 101_000

    /// The executions of a random search, in one range of units for each task. A unit is a group of executions.
    private func units(_ plan: SearchPlan) -> [SearchPiece] {
        let total = Agenda.randomUnitCount(limit: plan.executions)
        let tasks = min(count, total)
        return (0..<tasks).map { .units(total * $0 / tasks..<total * ($0 + 1) / tasks) }
    }

    /// Divides the parts further if there may be more tasks than parts: into about two for each task.
    private func refined(_ parts: [SearchPart], _ plan: SearchPlan, until deadline: Deadline) throws -> PartDivider {
        let placed = parts.enumerated().map { PlacedPart(place: [$0.offset], $0.element) }
        // Rounded up.
        let each = count > Self.partsOfOneMachine ? (2 * count + parts.count - 1) / parts.count : 1
        return try PartDivider.divide(placed, of: plan, atMost: each, until: deadline)
    }

    private func write(
        _ pieces: [SearchPiece], _ before: UnitReport, _ plan: SearchPlan, isCut: Bool
    ) throws {
        let tasks = min(count, pieces.count)
        try create(pieces, before, plan, tasks: tasks)
        try StandardOutput.write(text(tasks, pieces, isCut))
    }

    private func create(_ pieces: [SearchPiece], _ before: UnitReport, _ plan: SearchPlan, tasks: Int) throws {
        let search = try DividedSearch(plan, before: before, taskCount: tasks, pieces)
        let files = SearchTask.deal(pieces, into: tasks).enumerated().map { number, own in
            SearchTask(search: search, name: "\(number + 1)", pieces: own)
        }
        try folder.create(files.map { (path: $0.fileName, bytes: $0.content) })
    }

    private func text(_ tasks: Int, _ pieces: [SearchPiece], _ isCut: Bool) -> String {
        let folder = self.folder.path.quotedForShell
        // If the time was over before the division was finished, the same command may divide the search differently
        // next time. The text says so even if there are enough parts.
        let remark =
            isCut
            ? " (--time was over while it was divided: with more time, it has other parts)"
            : tasks < count ? " (it divides into no more)" : ""
        let what =
            switch pieces.first {
            case .part(let part) where part.part.member != nil:
                "a search by states each: the first is that of one machine, the others look in orders of their own, and prove nothing"
            case .part: SearchAssessment.count(pieces.count, "part") + " of the search"
            case .units, nil: "the executions"
            }
        return """
            divided: \(SearchAssessment.count(tasks, "task"))\(remark) with \(what)
              Work:  \(session.program) work \(folder)/1.task
              Merge: \(session.program) work --merge \(folder)/*.result

            """
    }
}
