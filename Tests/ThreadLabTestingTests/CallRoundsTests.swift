import Testing

@testable import ThreadLabTesting

@Suite struct CallRoundsTests {
    @Test func `each call is counted by itself`() {
        var rounds = CallRounds()
        #expect((1...3).map { _ in rounds.next("a") } == [0, 1, 2])
        #expect(rounds.next("b") == 0)
    }

    @Test func `when one run of the test is known to have two rounds, the third is the first of another run`() {
        var rounds = CallRounds()
        _ = (rounds.next("a"), rounds.next("a"))
        #expect(rounds.correct("a", rounds.next("a"), inOneRun: 2) == 0)
        #expect((1...3).map { _ in rounds.next("a") } == [1, 0, 1])
    }

    @Test func `a process is the worker of the round that it was started for`() {
        let place = CallPlace(fileID: "m/f.swift", filePath: "f.swift", line: 1, column: 2, function: "roles()")
        let calls = (0..<3).map { _ in IsolatedCall(place, .isolated, RunRules()) }
        #expect(calls.map(\.round) == [0, 1, 2])
        let assignment = calls[0].assignment(7, round: 1)
        #expect(calls.map { $0.role(assignment) } == [.earlierRound(report: 7), .worker(report: 7), .bystander])
        #expect(calls[0].role(nil) == .starter)
        let other = IsolatedCall(place, .exhaustive.isolated, RunRules())
        #expect(other.role(assignment) == .bystander)
    }
}
