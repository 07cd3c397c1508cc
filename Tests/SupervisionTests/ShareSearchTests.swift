import Authoring
import Exploration
import Glibc
import LabExecution
import LabProgram
import LabSyntax
import Machine
import Primitives
import Support
import Testing
import Trace

@testable import Supervision

/// A search that is divided among machines: what is joined is what one machine finds, or nothing.
@Suite struct ShareSearchTests {
    private static func plan(_ strategy: StrategyChoice, _ program: Program) -> SearchPlan {
        var plan = SearchSupervisorTests.plan(program)
        if !strategy.isRandom && strategy != .dpor {
            plan = SearchPlan(SmallLabProgram.scenario)
            plan.goal.keepsGoing = true
            plan.time = .max / 4
            if strategy == .graphs { plan.rules.model = .rc11 }
        }
        plan.strategy = strategy
        plan.executionsBeforeDivision = 100
        if strategy.isRandom { plan.executions = 3_350 }
        return plan
    }

    /// Three threads that lock a mutex three times each.
    ///
    /// - Parameter wrong: the order of threads, as digits, that is wrong.
    private static func program(wrong: Int? = nil) -> Program {
        Program(.may(.assertion)) {
            let mutex = Mutex("mutex")
            let order = Shared("order", 0)
            let threads = try (1...3).map { number in
                try Thread {
                    for _ in 0..<3 { try mutex.withLock { try order.write(try order.read() * 10 + number) } }
                }
            }
            for thread in threads { try thread.join() }
            try check(try order.read() != wrong, "the order is not the wrong one")
        }
    }

    /// Everything that a result says.
    private static func text(_ result: SearchResult) -> String {
        let findings = result.findings.map { "\($0.kind) \($0.place) \($0.number) \($0.schedule)" }
        let terminals = result.terminals.rows.map { "\($0.state.memory.map(\.value)) \($0.count) \($0.schedule)" }
        return """
            \(result.counts.words[0]) \(result.counts.steps) \(result.counts.longest) \(result.counts.redundant) \
            \(String(describing: result.total)) \(result.isProof) \(result.gaps.map(\.kind)) \(result.sample.count) \
            \(result.sample.chanceOfNew) \(findings) \(terminals)
            """
    }

    private static func pieces(_ plan: SearchPlan, tasks: Int) throws -> (UnitReport, [[SearchPiece]]) {
        if plan.strategy == .states {
            let members = (0..<tasks).map { SearchPart.member(.init($0, of: tasks)) }
            return (UnitReport(), members.enumerated().map { [.part(PlacedPart(place: [$0.offset], $0.element))] })
        }
        if plan.strategy?.isRandom == true {
            let count = Agenda.randomUnitCount(limit: plan.executions)
            let tasks = min(tasks, count)
            return (
                UnitReport(), (0..<tasks).map { [.units(count * $0 / tasks..<count * ($0 + 1) / tasks)] }
            )
        }
        let (result, parts) = try SearchSupervisor.divide(plan)
        var before = UnitReport()
        before.findings = result.findings
        let tasks = (0..<tasks).map { task in
            stride(from: task, to: parts.count, by: tasks).map { SearchPiece.part(PlacedPart(place: [$0], parts[$0])) }
        }
        return (before, tasks)
    }

    private static func known(_ state: ShareState, _ pieces: [SearchPiece]) -> [JoinedSearch.Piece] {
        let left = state.rest ?? []
        return state.done.map { ($0.piece, $0.report) }
            + state.open(of: pieces).filter { !left.contains($0) }.map { ($0, nil) }
    }

    static let strategies: [StrategyChoice] = [.dpor, .random, .graphs, .states]

    @Test(arguments: [StrategyChoice.dpor, .random, .pct], [false, true])
    func `any number of shares has the result of one search`(strategy: StrategyChoice, isWrong: Bool) async {
        await #expect(processExitsWith: .success) { [name = strategy.rawValue as String, isWrong] in
            let strategy = try #require(StrategyChoice(rawValue: name))
            for wrong in isWrong ? [332_211_123, 233_211_312] : [nil] {
                var plan = ShareSearchTests.plan(strategy, ShareSearchTests.program(wrong: wrong))
                for keepsGoing in isWrong ? [true, false] : [true] {
                    plan.goal.keepsGoing = keepsGoing
                    plan.goal.countsTerminals = keepsGoing
                    let whole = try SearchSupervisor.run(plan, telling: .none).result
                    #expect(strategy != .dpor || !keepsGoing || whole.total == 1680)
                    for count in [1, 3] {
                        let (before, tasks) = try ShareSearchTests.pieces(plan, tasks: count)
                        var pieces: [JoinedSearch.Piece] = []
                        for task in tasks.reversed() {
                            let state = try ShareSearch.run(plan, task, from: ShareState()) { _ in }.state
                            #expect(state.rest?.isEmpty == true)
                            pieces += ShareSearchTests.known(state, task)
                        }
                        if tasks.joined().isEmpty { continue }
                        let joined = try JoinedSearch.result(plan, before: before, pieces)
                        let (one, other) = (ShareSearchTests.text(joined), ShareSearchTests.text(whole))
                        #expect(one == other)
                    }
                }
            }
        }
    }

    @Test(arguments: strategies) func `of every subset of the shares only the whole one has a result`(
        strategy: StrategyChoice
    ) async {
        await #expect(processExitsWith: .success) { [name = strategy.rawValue as String] in
            let strategy = try #require(StrategyChoice(rawValue: name))
            let plan = ShareSearchTests.plan(strategy, ShareSearchTests.program())
            let (before, tasks) = try ShareSearchTests.pieces(plan, tasks: 6)
            let known = try tasks.map {
                ShareSearchTests.known(try ShareSearch.run(plan, $0, from: ShareState()) { _ in }.state, $0)
            }
            #expect(known.count > 3 && known.allSatisfy { !$0.isEmpty })
            for bits in 1..<1 << tasks.count {
                let pieces = tasks.indices.filter { bits & 1 << $0 != 0 }.flatMap { known[$0] }
                let joined = try? JoinedSearch.result(plan, before: before, pieces)
                #expect((joined != nil) == (bits == 1 << tasks.count - 1))
                // With one of them twice there is none.
                let doubled = pieces + known[bits.trailingZeroBitCount]
                let result = try? JoinedSearch.result(plan, before: before, doubled)
                #expect(result == nil)
            }
        }
    }

    /// The work is killed while it saves, each time at a place that the seed chooses: before the file is replaced, or after it.
    @Test(arguments: strategies, [1, 2]) func `nothing is lost however often it is killed`(
        strategy: StrategyChoice, jobs: Int
    ) async {
        await #expect(processExitsWith: .success) { [name = strategy.rawValue as String, jobs] in
            let strategy = try #require(StrategyChoice(rawValue: name))
            var plan = ShareSearchTests.plan(strategy, ShareSearchTests.program())
            plan.jobs = jobs
            let whole = try SearchSupervisor.run(plan, telling: .none).result
            let (before, tasks) = try ShareSearchTests.pieces(plan, tasks: 2)
            var random = SplitMix64(seed: 7)
            var kills = 0
            // The work is done again and again until there were enough.
            while kills < (Extent.isWhole ? 25 : 8) {
                var pieces: [JoinedSearch.Piece] = []
                for task in tasks {
                    let file = try SavedState()
                    while true {
                        let end = random.next(below: 5)
                        let isAfter = random.next(below: 2) == 0
                        let status = try ShareSearchTests.inProcess {
                            var savings = 0
                            // Before anything was saved, too.
                            if end == 0 { kill(getpid(), SIGKILL) }
                            _ = try ShareSearch.run(plan, task, from: try file.read(), savings: 300) {
                                state throws(SupervisionFailed) in
                                savings += 1
                                if savings == end && !isAfter { kill(getpid(), SIGKILL) }
                                file.write(state)
                                if savings == end && isAfter { kill(getpid(), SIGKILL) }
                            }
                        }
                        if status == 0 { break }
                        #expect(status == SIGKILL)
                        kills += 1
                    }
                    let state = try file.read()
                    #expect(state.isClosed)
                    pieces += ShareSearchTests.known(state, task)
                }
                let joined = try JoinedSearch.result(plan, before: before, pieces)
                let (one, other) = (ShareSearchTests.text(joined), ShareSearchTests.text(whole))
                #expect(one == other)
            }
        }
    }

    /// Whenever it is stopped, and however often.
    @Test(arguments: [StrategyChoice.dpor, .random]) func `what is left of shares completes them`(
        strategy: StrategyChoice
    ) async {
        await #expect(processExitsWith: .success) { [name = strategy.rawValue as String] in
            let strategy = try #require(StrategyChoice(rawValue: name))
            var plan = ShareSearchTests.plan(strategy, ShareSearchTests.program())
            let whole = try SearchSupervisor.run(plan, telling: .none).result
            let (before, tasks) = try ShareSearchTests.pieces(plan, tasks: 2)
            var pieces: [JoinedSearch.Piece] = []
            var open = tasks
            var stops = 6
            while let task = open.popLast() {
                // Every process has more memory than that: the work is stopped as soon as its parent looks.
                plan.memory = stops > 0 ? 1 : nil
                stops -= 1
                let (state, end) = try ShareSearch.run(plan, task, from: ShareState()) { _ in }
                if end == .kept { open.append(task) }
                pieces += ShareSearchTests.known(state, [])
                let incomplete = try? JoinedSearch.result(plan, before: before, pieces)
                let rest = state.rest ?? []
                if !rest.isEmpty { open.append(rest) }
                #expect((incomplete != nil) == open.isEmpty)
            }
            let joined = try JoinedSearch.result(plan, before: before, pieces)
            #expect(joined.total == whole.total && joined.isProof == whole.isProof)
            if strategy == .random {
                let (one, other) = (ShareSearchTests.text(joined), ShareSearchTests.text(whole))
                #expect(one == other)
            }
        }
    }

    /// Its first execution never ends.
    @Test func `a part that neither ends nor can be divided becomes no new task`() async {
        await #expect(processExitsWith: .success) {
            var plan = ShareSearchTests.plan(.dpor, Program { while true { pause() } })
            plan.stepTime = .max / 4
            plan.time = 1_000_000
            let part = SearchPiece.part(PlacedPart(place: [0], SearchPart()))
            let (state, end) = try ShareSearch.run(plan, [part], from: ShareState()) { _ in }
            #expect(end == .kept && !state.isClosed && state.open(of: [part]) == [part])
            // Two of them are work for two machines.
            let other = SearchPiece.part(PlacedPart(place: [1], SearchPart()))
            let divided = try ShareSearch.run(plan, [part, other], from: ShareState()) { _ in }
            #expect(divided.end == .closed && divided.state.rest == [part, other])
            let last = try ShareSearch.run(plan, [part, other], from: ShareState(), mayLeave: false) { _ in }
            #expect(last.end == .kept && last.state.open(of: [part, other]) == [part, other])
        }
    }

    @Test func `a part is divided further in a process of its own`() async {
        await #expect(processExitsWith: .success) {
            let plan = ShareSearchTests.plan(.dpor, ShareSearchTests.program())
            let parts = try SearchSupervisor.divide(plan).parts
            for (number, part) in parts.prefix(3).enumerated() {
                let placed = PlacedPart(place: [number], part)
                let further = try PartDivider.divide([placed], of: plan, atMost: 4, until: Deadline(after: plan.time))
                    .parts
                #expect(further.count > 1 && PartCover.flaw(of: further.map(\.part), in: part) == nil)
                #expect(further.allSatisfy { $0.place.count == 2 && $0.place[0] == number })
            }
        }
    }

    @Test func `without time parts stay as they are, and so they do after a signal`() async {
        await #expect(processExitsWith: .success) {
            var plan = ShareSearchTests.plan(.dpor, ShareSearchTests.program())
            let parts = try SearchSupervisor.divide(plan).parts.prefix(3).enumerated()
                .map { PlacedPart(place: [$0.offset], $0.element) }
            let cut = try PartDivider.divide(parts, of: plan, atMost: 4, until: Deadline(after: 0))
            #expect(cut.parts == parts && cut.isCut && cut.signal == nil)
            // As from a keyboard, while a random execution is under way; and it does not end by itself. In a process with one thread, which
            // blocks the signal.
            plan.stepTime = .max / 4
            plan.scenario = Program {
                kill(getppid(), SIGINT)
                while true { pause() }
            }
            let status = try ShareSearchTests.inProcess { [plan] in
                let divider = try PartDivider.divide(parts, of: plan, atMost: 4, until: Deadline(after: .max / 4))
                guard divider.parts == parts, divider.isCut, divider.signal == SIGINT else { throw DamagedMessage() }
            }
            #expect(status == 0)
        }
    }

    @Test func `a program whose code does not end is not divided for longer than there is time`() async {
        await #expect(processExitsWith: .success) {
            var plan = ShareSearchTests.plan(.dpor, Program { while true { pause() } })
            plan.stepTime = .max / 4
            let parts = [PlacedPart(place: [0], SearchPart())]
            let divider = try PartDivider.divide(parts, of: plan, atMost: 4, until: Deadline(after: 1_000_000))
            #expect(divider.parts == parts && divider.isCut && divider.signal == nil)
        }
    }

    /// Each part by itself may have none.
    @Test func `parts that together have no graph are a mistake of threadlab`() throws {
        let plan = Self.plan(.graphs, Self.program())
        var report = UnitReport()
        report.end = .exhausted
        report.distinct = 0
        let (one, other) = (SearchPart.branches([.init(0, of: 2)]), SearchPart.branches([.init(1, of: 2)]))
        let none = [one, other].enumerated().map {
            (SearchPiece.part(PlacedPart(place: [$0.offset], $0.element)), report)
        }
        #expect(throws: JoinedSearch.Flaw.withoutGraphs) {
            try JoinedSearch.result(plan, before: UnitReport(), none)
        }
        report.distinct = 1
        let result = try JoinedSearch.result(plan, before: UnitReport(), [none[0], (none[1].0, report)])
        #expect(result.total == 1)
        var sum = SearchResult()
        report.distinct = 0
        sum.add(report, of: .graphs, plan.goal)
        #expect(sum.isWithoutGraphs && sum.total == nil && sum.obstacles.isEmpty)
    }

    // MARK: - Processes

    /// - Returns: the signal that ended it, or 0.
    private static func inProcess(_ body: () throws -> Void) throws -> Int32 {
        let process = try ForkedProcess.fork(for: "a test") {
            do { try body() } catch { _exit(1) }
            _exit(0)
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        return status == 0 ? 0 : status & 0x7F == 0 ? -1 : status & 0x7F
    }
}

/// A program with graphs and states.
private enum SmallLabProgram {
    private static let text = """
        scenario "small"
        atomic x = 0, y = 0
        thread a { repeat 3 { x.add(1, relaxed) }; y.store(1, relaxed) }
        thread b { repeat 2 { x.add(1, relaxed) }; y.store(2, relaxed) }
        thread c { let v = y.load(relaxed); let w = x.load(relaxed); x.store(7, relaxed) }
        """

    static var scenario: any Runnable {
        guard let program = SourceText(name: "small.lab", text).read().program,
            let scenario = try? LabFile(program, scenarios: []).configured([])
        else { preconditionFailure("the program is wrong") }
        return scenario
    }
}

/// A state in a file, which is replaced at once.
private struct SavedState {
    private let path: String

    init() throws {
        var template = Array("/tmp/threadlab-share-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        try #require(descriptor >= 0)
        close(descriptor)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        write(ShareState())
    }

    func write(_ state: ShareState) {
        var words = WordWriter()
        words.add(state)
        let file = fopen(path + ".new", "w")
        let bytes = words.bytes
        let written = fwrite(bytes, 1, bytes.count, file)
        precondition(written == bytes.count && fclose(file) == 0 && rename(path + ".new", path) == 0)
    }

    func read() throws -> ShareState {
        let file = try #require(fopen(path, "r"))
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        var reader = try #require(WordReader(bytes: bytes))
        let state: ShareState = try reader.message()
        try reader.finish()
        return state
    }
}
