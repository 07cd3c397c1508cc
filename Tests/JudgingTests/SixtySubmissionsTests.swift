import LabSyntax
import Testing

@testable import Judging

/// The judge and a class: no cheat passes, and no solution fails.
@Suite struct SixtySubmissionsTests {
    @Test func `there are sixty, and half of them are solutions`() {
        #expect(HandedIn.all.count == 60 && HandedIn.all.count { $0.isSolution } == 30)
    }

    @Test(arguments: HandedIn.all)
    func `a submission passes if it is a solution`(submission: HandedIn) throws {
        let task = try LabTask(SourceText(name: "task.lab", submission.task))
        let verdict = try TaskJudge(task).judge(SourceText(name: "answer.lab", submission.text))
        let isPassed = if case .passed? = verdict { true } else { false }
        #expect(isPassed == submission.isSolution, "\(verdict.map { "\($0)".prefix(300) } ?? "interrupted")")
    }
}
