import Course
import LabSyntax
import Machine
import Testing
import Trace

/// Schedules and claims as submissions.
@Suite struct JudgeTests {
    private static func exercise(_ head: String, task: String, mutants: [String] = []) throws -> Exercise {
        var files = [
            "it/exercise.md": "# It\n\(head)\nMinutes: 5\n\nDo it.\n\n## Hint\nWhat?\n", "it/task.lab": task,
        ]
        for (number, mutant) in mutants.enumerated() { files["it/mutants/\(number).lab"] = mutant }
        return try #require(MemoryCourse.lesson("Text", adding: files).read?.exercises.first)
    }

    private static let opposite = """
        scenario "opposite"
        mutex a, b
        thread one { lock a { lock b { } } }
        thread two { lock b { lock a { } } }
        expect deadlock
        """

    // What judges an outcome blocks signals and may fork, which is for a process with one thread. Other tests' threads
    // send signals, and may hold locks, for which a child would wait forever.

    @Test func `A schedule that reaches the outcome passes, another one does not`() async {
        await #expect(processExitsWith: .success) {
            let exercise = try JudgeTests.exercise("Kind: break\nGoal: deadlock", task: JudgeTests.opposite)
            let judge = try ScheduleJudge(exercise, file: "it.lab")
            guard case .reached(4) = try judge.judge(Schedule(submission: "# mine\n1x2,\n2x2\n")) else {
                Issue.record("the deadlock is not seen")
                return
            }
            guard case .missed(.completed) = try judge.judge(Schedule(submission: "1x5")) else {
                Issue.record("a run that completes is not seen")
                return
            }
            guard case .misfit = try judge.judge(Schedule(submission: "1x2,2x3,7")) else {
                Issue.record("a schedule that does not fit is accepted")
                return
            }
            let steps = judge.shortest()?.stepCount
            #expect(steps == 4)
        }
    }

    @Test func `A state as the goal is reached on the way`() throws {
        let judge = try ScheduleJudge(
            Self.exercise("Kind: break\nGoal: state count == 1", task: MemoryCourse.lostUpdate), file: "it.lab")
        guard case .reached(3) = try judge.judge(Schedule(submission: "1x3,0,2x3")) else {
            Issue.record("the state is not seen")
            return
        }
        guard case .missed(nil) = try judge.judge(Schedule(submission: "1x2")) else {
            Issue.record("a state that is not reached is seen")
            return
        }
        #expect(judge.shortest()?.stepCount == 3)
    }

    private static let buffered = """
        scenario "buffered"
        atomic x = 0, y = 0
        shared r0 = 0, r1 = 0
        thread left { x.store(1, relaxed); r0 = y.load(relaxed) }
        thread right { y.store(1, relaxed); r1 = x.load(relaxed) }
        expect under sc completes
        expect under tso broken never r0 == 0 && r1 == 0
        """

    @Test func `A schedule is judged under the memory model that the task's claims name`() async {
        await #expect(processExitsWith: .success) {
            let exercise = try JudgeTests.exercise("Kind: break\nGoal: broken-claim", task: JudgeTests.buffered)
            let judge = try ScheduleJudge(exercise, file: "it.lab")
            #expect(judge.model == .tso && judge.threads == ["main", "left", "right"])
            let old = try judge.judge(Schedule(submission: "1x4,2x3=1,2,0x3"))
            guard case .reached = old else {
                Issue.record("the read of an old value is not seen: \(old)")
                return
            }
            let newest = try judge.judge(Schedule(submission: "1x4,2x3=0,2,0x3"))
            guard case .missed(.completed) = newest else {
                Issue.record("\(newest)")
                return
            }
            let none = try judge.judge(Schedule(submission: "1x4,2x3=2,2,0x3"))
            guard case .misfit = none else {
                Issue.record("\(none)")
                return
            }
            let (isReachable, shortest) = (try judge.isReachable(), judge.shortest())
            #expect(isReachable && shortest == nil)
            let safe = JudgeTests.buffered.replacing("1, relaxed", with: "1")
            let other = try JudgeTests.exercise("Kind: break\nGoal: broken-claim", task: safe)
            let isOtherReachable = try ScheduleJudge(other, file: "it.lab").isReachable()
            #expect(!isOtherReachable)
        }
    }

    @Test func `A task for a schedule names one memory model, and no state under it`() throws {
        func refusal(_ goal: String, _ task: String) throws -> String? {
            let exercise = try Self.exercise("Kind: break\nGoal: \(goal)", task: task)
            do throws(UnansweredQuestion) {
                _ = try ScheduleJudge(exercise, file: "it.lab")
                return nil
            } catch { return error.message }
        }
        let two = Self.buffered + "\nexpect under rc11 broken never r0 == 0 && r1 == 0"
        #expect(
            try refusal("broken-claim", two)
                == "two-threads/it/task.lab: its claims name tso and rc11, and a schedule is for one memory model")
        let state = try refusal("state r0 == 0", Self.buffered)
        #expect(try #require(state).contains("sequentially consistent runs"))
        #expect(try refusal("race", Self.buffered.replacing("under tso broken", with: "under sc")) == nil)
    }

    private static let locked = """
        scenario "locked"
        shared count = 0
        mutex m
        thread adder[2] { lock m { count += 1 } }
        """

    private static func ruling(on claims: String) throws -> PropertyJudge.Ruling {
        let exercise = try exercise(
            "Kind: property", task: locked,
            mutants: [
                locked.replacing("count += 1", with: "count = 1"),
                locked.replacing("count += 1", with: "count += 2"),
            ])
        return try PropertyJudge(exercise).judge(SourceText(name: "it.lab", "scenario \"mine\"\n" + claims))
    }

    @Test func `Claims that hold for the program and fail for each mutant pass`() async {
        await #expect(processExitsWith: .success) {
            let rulings = try ["expect always count == 2\n", "finally { assert count == 2 }\n"].map(JudgeTests.ruling)
            #expect(rulings.map(\.isPassed) == [true, true])
        }
    }

    @Test func `Claims that a mutant keeps do not pass`() async {
        await #expect(processExitsWith: .success) {
            let ruling = try JudgeTests.ruling(on: "expect always count <= 2\n")
            #expect(ruling.refutation == nil && ruling.survivors == [1])
        }
    }

    @Test func `Claims that the right program breaks do not pass`() async {
        await #expect(processExitsWith: .success) {
            let ruling = try JudgeTests.ruling(on: "expect always count == 3\n")
            #expect(ruling.refutation != nil)
        }
    }

    @Test func `No claims are no submission`() {
        #expect(throws: UnansweredQuestion.self) { _ = try Self.ruling(on: "shared count = 0\n") }
    }
}
