import Exploration
import Machine
import Support
import Testing

/// The search compared with an independent counter.
@Suite struct DifferentialTests {
    static let seeds: ClosedRange<UInt64> = 1...(Extent.isWhole ? 500 : 250)
    static let chunks = stride(from: seeds.lowerBound, through: seeds.upperBound, by: 50).map {
        $0...min($0 + 49, seeds.upperBound)
    }

    @Test(arguments: chunks, Rules.Waiters.allCases)
    func `small programs made up at random have as many traces as there are, and end in the states that there are`(
        _ seeds: ClosedRange<UInt64>, _ waiters: Rules.Waiters
    ) throws {
        let programs = seeds.map { RandomProgram(seed: $0) }
        let answers = try Oracle.answers(to: programs.map(\.counted), signal: waiters.rawValue)
        try #require(answers.count == programs.count)
        for (program, answer) in zip(programs, answers) {
            let found = try Exhaustion(program.lab, waiters, limit: answer.traces + 1000)
            let comment: Comment = "seed \(program.seed), \(waiters)\n\(program.lab)\n\(program.counted)"
            #expect(found.states == answer.states, comment)
            #expect(found.obstacle == nil, comment)
            #expect(found.traces == answer.traces, comment)
            // Readers that wait for each other inside a read-write lock can cost an execution that leads nowhere.
            if !program.hasReaders { #expect(found.redundant == 0, comment) }
        }
    }
}

/// Everything that a search finds.
private struct Exhaustion {
    var traces = 0
    var redundant = 0
    var states: Set<TerminalState> = []
    var obstacle: Obstacle?

    init(_ text: String, _ waiters: Rules.Waiters, limit: Int) throws {
        var rules = Rules()
        rules.endsAtCycles = false
        rules.waiters = waiters
        let engine = try TestProgram(text).engine(rules)
        let search = PartialOrderSearch(rules: rules)
        var number = 0
        while number < limit && search.prepare(number) {
            let before = search.completeCount
            _ = search.execute(engine)
            number += 1
            if search.completeCount > before { states.insert(Self.state(of: engine.machine)) }
        }
        traces = search.completeCount
        redundant = search.redundantCount
        obstacle = search.obstacle
    }

    private static func state(of machine: MachineState) -> TerminalState {
        let blocked = (1..<machine.threadCount).filter { !machine.hasEnded($0) }.map { $0 - 1 }
        return TerminalState(
            outcome: blocked.isEmpty ? "ok" : "deadlock", blocked: blocked,
            memory: (1...4).map { machine.object($0).value })
    }
}
