import LabSyntax
import Testing

@testable import Judging

/// The judge and a class: no cheat passes, and no solution fails.
@Suite struct SixtySubmissionsTests {
    @Test func `there are sixty, and half of them are solutions`() {
        #expect(HandedIn.all.count == 60 && HandedIn.all.count { $0.isSolution } == 30)
    }

    // In a process of its own: one that forks while other tests' threads hold locks leaves a child that may wait for them
    // forever.
    @Test func `a submission passes if it is a solution`() async {
        await #expect(processExitsWith: .success) {
            for submission in HandedIn.all {
                let task = try LabTask(SourceText(name: "task.lab", submission.task))
                let verdict = try TaskJudge(task).judge(SourceText(name: "answer.lab", submission.text))
                let isPassed = if case .passed? = verdict { true } else { false }
                #expect(
                    isPassed == submission.isSolution,
                    "\(submission): \(verdict.map { "\($0)".prefix(300) } ?? "interrupted")")
            }
        }
    }
}
