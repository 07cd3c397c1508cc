import LabSyntax
import Testing

@testable import Judging

/// The judge and a class: no cheat passes, and no solution fails.
@Suite struct SixtySubmissionsTests {
    @Test func `there are sixty, and half of them are solutions`() {
        #expect(HandedIn.all.count == 60 && HandedIn.all.count { $0.isSolution } == 30)
    }

    private static let buffered = """
        scenario "store buffering"
        atomic x = 0, y = 0
        shared r0 = 0, r1 = 0
        thread left { x.store(1, relaxed); r0 = y.load(relaxed) }
        thread right { y.store(1, relaxed); r1 = x.load(relaxed) }
        expect completes
        expect under tso never r0 == 0 && r1 == 0
        expect under rc11 sometimes r0 == 0 && r1 == 0
        task { at most 40 lines }
        """

    /// What a submission turns out to be, and under which memory model.
    private static func word(_ old: String, _ new: String) throws -> String {
        let task = try LabTask(SourceText(name: "task.lab", buffered))
        let text = buffered.replacing(old, with: new)
        guard let found = try TaskJudge(task).examine(SourceText(name: "answer.lab", text)) else {
            return "interrupted"
        }
        let word =
            switch found.verdict {
            case .passed: "passed"
            case .refuted: "refuted"
            case .evading: "evading"
            case .wrong: "wrong"
            case .undecided: "undecided"
            case .error: "error"
            }
        return word + " " + found.model.rawValue
    }

    @Test func `what a task claims for a memory model is judged under that model`() async {
        await #expect(processExitsWith: .success) {
            // Under sc, each of these does what the task claims. With seqcst, what must happen under rc11 does not.
            let words = try [("none", ""), ("relaxed", "seqcst")].map(SixtySubmissionsTests.word)
            // An exchange drains the buffer of x86, and orders nothing under rc11.
            #expect(words == ["refuted tso", "refuted rc11"])
            let right = try SixtySubmissionsTests.word(".store(1, relaxed)", ".exchange(1, relaxed)")
            #expect(right == "passed rc11")
        }
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
