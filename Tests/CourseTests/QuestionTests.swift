import Course
import Testing

/// The answers to questions, which the explorer computes.
@Suite struct QuestionTests {
    private func answer(_ lines: String, program: String = MemoryCourse.lostUpdate) throws -> Answer {
        let text = "```question\nprogram: program.lab\nask: What?\n\(lines)\n```"
        let course = try #require(MemoryCourse.lesson(text, program: program).read)
        return try #require(course.lessons[0].questions.first).answer()
    }

    private func right(_ answer: Answer) -> [String] { answer.options.filter(\.isRight).map(\.text) }

    @Test func `Values at the end are those of some run, each with a schedule`() throws {
        let answer = try answer("values: count\n- 0\n- 1\n- 2")
        #expect(right(answer) == ["1", "2"] && answer.missing.isEmpty)
        #expect(answer.options.allSatisfy { ($0.schedule != nil) == $0.isRight })
    }

    @Test func `A value that is missing among the options is noticed`() throws {
        #expect(try answer("values: count\n- 0\n- 2").missing == ["another value"])
    }

    @Test func `Values where a thread is about to step are those of a variable there`() throws {
        let answer = try answer("values: seen at \"count = seen + 1\" of adder[1]\n- 0\n- 1\n- 2")
        #expect(right(answer) == ["0", "1"] && answer.missing.isEmpty)
    }

    @Test func `A condition of some state need not be one of the end`() throws {
        let program = """
            scenario "one at a time"
            atomic inside = 0
            mutex m
            thread t[2] { lock m { inside.add(1); inside.add(-1) } }
            """
        #expect(right(try answer("possible: state\n- inside == 1\n- inside == 2", program: program)) == ["inside == 1"])
        #expect(right(try answer("possible: end\n- inside == 1\n- inside == 0", program: program)) == ["inside == 0"])
    }

    @Test func `The ways in which runs end are found with their own checks`() throws {
        let answer = try answer("ends:\n- completes\n- race\n- assertion\n- deadlock")
        #expect(right(answer) == ["race", "assertion"] && answer.missing.isEmpty)
        #expect(try self.answer("ends:\n- race\n- deadlock").missing == ["assertion"])
    }

    @Test func `Yes or no`() throws {
        #expect(right(try answer("can: race")) == ["yes"])
        #expect(right(try answer("can: deadlock")) == ["no"])
    }

    private static let storeBuffering = """
        scenario "store buffering"
        atomic x = 0, y = 0
        shared r0 = 0, r1 = 0
        thread left { x.store(1, relaxed); r0 = y.load(relaxed) }
        thread right { y.store(1, relaxed); r1 = x.load(relaxed) }
        finally { assert r0 + r1 > 0 }
        """

    @Test func `A question can be about a weaker memory model`() throws {
        let options = "\n- 0\n- 1\n- 2"
        for (model, sums) in [("sc", ["1", "2"]), ("tso", ["0", "1", "2"]), ("rc11", ["0", "1", "2"])] {
            let answer = try answer("values: r0 + r1\nmodel: \(model)" + options, program: Self.storeBuffering)
            #expect(right(answer) == sums && answer.missing.isEmpty)
            #expect(answer.options.allSatisfy { ($0.schedule != nil) == $0.isRight })
        }
        let some = try answer("values: r0 + r1\nmodel: tso\n- 1\n- 2", program: Self.storeBuffering)
        #expect(some.missing == ["another value"])
        let both = "possible: end\nmodel: rc11\n- r0 == 0 && r1 == 0\n- r0 == 2"
        #expect(right(try answer(both, program: Self.storeBuffering)) == ["r0 == 0 && r1 == 0"])
        #expect(right(try answer("can: assertion\nmodel: tso", program: Self.storeBuffering)) == ["yes"])
        #expect(right(try answer("can: assertion\nmodel: sc", program: Self.storeBuffering)) == ["no"])
    }

    @Test func `Under a weaker model a program with a data race has no values`() throws {
        let program = """
            scenario "plain data"
            atomic flag = 0
            shared data = 0, read = 0
            thread writer { data = 1; flag.store(1, relaxed) }
            thread reader { if flag.load(relaxed) == 1 { read = data } }
            """
        let problem = #expect(throws: UnansweredQuestion.self) {
            _ = try answer("values: read\nmodel: rc11\n- 0\n- 1", program: program)
        }
        #expect(problem?.message == "program.lab has a data race: its values are not defined")
        #expect(right(try answer("ends:\nmodel: rc11\n- completes\n- race", program: program)).contains("race"))
    }

    @Test func `Threads that can step after a schedule`() throws {
        let program = """
            scenario "a lock"
            mutex m
            thread t[2] { lock m { yield } }
            """
        let answer = try answer("steps: 1x2\n- t[0]\n- t[1]\n- main", program: program)
        #expect(right(answer) == ["t[0]", "t[1]"] && answer.missing.isEmpty)
        #expect(right(try self.answer("steps: 1x2,2\n- t[0]\n- t[1]", program: program)) == ["t[0]"])
    }

    @Test(arguments: [
        ("values: nothing\n- 1\n- 2", "program.lab: there is no variable 'nothing'"),
        ("can: sleep", "'sleep' is not a way in which a run ends"),
        ("steps: 1\nmodel: tso\n- main\n- x", "a question about states and steps has no 'model: tso'"),
        ("steps: 7\n- main\n- adder[0]", "the schedule 7 does not fit program.lab"),
        ("values: seen at \"absent\" of adder[0]\n- 1\n- 2", "'absent' is not in exactly one place of program.lab"),
    ])
    func `A question without an answer says why`(lines: String, message: String) throws {
        let problem = #expect(throws: UnansweredQuestion.self) { _ = try answer(lines) }
        #expect(problem?.message == message)
    }
}
