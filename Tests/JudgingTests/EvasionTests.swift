import LabSyntax
import Testing

@testable import Judging

/// Submissions that are no solutions, as their texts show: each is refused with a sentence and a place.
@Suite struct EvasionTests {
    struct Cheat: CustomTestStringConvertible {
        let name: String
        let code: Evasion.Code
        let sentence: String
        let text: String

        var testDescription: String { name }

        init(_ name: String, _ code: Evasion.Code, _ sentence: String, _ text: String) {
            (self.name, self.code, self.sentence, self.text) = (name, code, sentence, text)
        }

        /// A change of the task's own text.
        init(_ name: String, _ code: Evasion.Code, _ sentence: String, _ old: String, _ new: String) {
            self.init(name, code, sentence, Submissions.with(old, new))
        }
    }

    static let cheats = [
        Cheat("a deleted thread", .thread, "the thread 'child' is missing", "thread child { note \"here\" }\n", ""),
        Cheat("fewer threads", .thread, "this is 'thread adder[1]'", "adder[n] {", "adder[1] {"),
        Cheat("a thread more", .thread, "no thread 'helper'", "mutex m\n", "mutex m\nthread helper { add() }\n"),
        Cheat("a thousand threads", .thread, "this is 'thread adder[200]'", "adder[n] {", "adder[200] {"),
        Cheat("another parameter", .parameter, "'n' must stay as it is", "n = 2", "n = 1"),
        Cheat("a narrower parameter", .parameter, "'n' must stay as it is", "n = 2", "n = 2 in 2...2"),
        Cheat("no parameter", .parameter, "'n' must stay", "parameter n = 2", "shared n = 2"),
        Cheat("a constant in place of the work", .given, "'add' is given", "count += 1", "count = 2"),
        Cheat("a given function that is one no more", .given, "'add' is given", "given func add", "func add"),
        Cheat("a given function without its code", .given, "'add' is given", "{ count += 1 }", "{ }"),
        Cheat("another beginning", .given, "'count' is given", "count = 0", "count = 2"),
        Cheat("an array in place of a variable", .given, "'there' is given", "there = 0", "there[1] = 0"),
        Cheat(
            "a line's end in given code", .given, "'add' is given", "{ count += 1 }",
            "{ let x = count\n count = x + 1 }"),
        Cheat(
            "given by the submission", .given, "'cheat' is not given", "mutex m\n",
            "mutex m\ngiven func cheat() { count = 2 }\n"),
        Cheat("a thread called given", .given, "'adder' is not given", "thread adder", "given thread adder"),
        Cheat("claims about another beginning", .claim, "claims use 'total'", "total = 0", "total = 2"),
        Cheat("claims about nothing", .claim, "'total', which is missing", ", total = 0", ""),
        Cheat(
            "a function called max", .name, "uses the name 'max'", "mutex m\n",
            "mutex m\nfunc max(a, b) -> Int { return 2 }\n"),
        Cheat("an object called max", .name, "uses the name 'max'", "mutex m\n", "mutex m\nsemaphore max\n"),
        Cheat(
            "a thread that never starts", .start, "must 'spawn child' in any case", "spawn child\n",
            "if false { spawn child }\n"),
        Cheat(
            "a return before", .start, "must 'spawn child' in any case", "    spawn child",
            "    if n > 1 { return }\n    spawn child"),
        Cheat("no spawn", .start, "must 'spawn child'", "    spawn child\n", ""),
        Cheat(
            "a thread that waits for nothing", .start, "does not 'spawn adder'", "    spawn child",
            "    spawn adder\n    spawn child"),
        Cheat("a detached thread", .start, "does not 'detach adder'", "    enter()", "    detach adder\n    enter()"),
        Cheat("a detached child", .start, "must 'join child'", "join child", "detach child"),
        Cheat(
            "a spawn in a function", .start, "does not 'spawn child'", "mutex m\n",
            "mutex m\nfunc f() { spawn child }\n"),
        Cheat("progress", .progress, "no 'progress'", "    leave()", "    leave()\n    progress"),
        Cheat("progress in a function", .progress, "no 'progress'", "mutex m\n", "mutex m\nfunc f() { progress }\n"),
        Cheat("two mutexes", .limit, "at most 1 mutex", "mutex m\n", "mutex m, other\n"),
        Cheat("an array of mutexes", .limit, "at most 1 mutex", "mutex m\n", "mutex m\nrecursive mutex r[3]\n"),
        Cheat("a forbidden word", .limit, "does not allow 'tryLock'", "lock m { add() }", "if m.tryLock() { add() }"),
        Cheat(
            "a forbidden word in a text", .limit, "does not allow 'tryLock'", "lock m { add() }",
            "lock m { add() }\n    note \"\\(m.tryLock())\""),
        Cheat(
            "lines behind semicolons", .limit, "at most 32 lines", "    enter()",
            "    enter()" + String(repeating: "; yield", count: 30)),
        Cheat(
            "the work on one path only", .limit, "must call 'add'", "lock m { add() }",
            "if index == 0 { lock m { add() } }"),
        Cheat(
            "a return before the work", .limit, "can return here without a call", "    leave()",
            "    if index == 1 { return }\n    leave()"),
        Cheat(
            "the work in a loop that may not run", .limit, "must call 'add'", "lock m { add() }",
            "for i in 0..<log.count { add() }"),
        Cheat(
            "the work behind ||", .limit, "must call 'add'", "lock m { add() }",
            "lock m { if log.isEmpty { } else { add() } }"),
        Cheat("another letter", .thread, "the thread 'adder' is missing", "thread adder", "thread \u{430}dder"),
        Cheat("another letter in what is given", .given, "'add' is given", "func add", "func \u{430}dd"),
        Cheat("nothing", .thread, "is missing", "scenario \"x\"\nthread t { }\n"),
        Cheat("a built-in scenario", .thread, "is missing", "scenario \"x\"\nrun lost-update(variant: locked)\n"),
        Cheat(
            "everything in comments", .thread, "is missing",
            "scenario \"x\"\n// " + Submissions.task.replacing("\n", with: "\n// ")),
        Cheat(
            "everything in the name", .thread, "is missing",
            "scenario \"thread adder[n] { } finally { assert true }\"\n"),
    ]

    @Test(arguments: cheats) func `a submission is refused, with a sentence and a place`(_ cheat: Cheat) throws {
        guard case .evading(let evasions) = try Submissions.read(cheat.text) else {
            Issue.record("it is not refused")
            return
        }
        let source = SourceText(name: "answer.lab", cheat.text)
        let told = evasions.map { "\($0.code.rawValue): \($0.text(in: source))" }.joined(separator: "\n")
        #expect(evasions.contains { $0.code == cheat.code && $0.message.contains(cheat.sentence) }, "\(told)")
        #expect(
            evasions.allSatisfy { $0.text(in: source).hasPrefix("answer.lab:") && $0.text(in: source).contains("^") })
    }

    @Test func `where code that is given differs, the task's line is said`() throws {
        let text = Submissions.with("count += 1 }", "count += 2 }")
        guard case .evading(let evasions) = try Submissions.read(text) else {
            Issue.record("it is not refused")
            return
        }
        let evasion = try #require(evasions.first)
        let source = SourceText(name: "answer.lab", text)
        #expect(source.text(evasion.span) == "2")
        #expect(evasion.help == "the task has 'given func add() { count += 1 }' here")
    }

    static let wrong = [
        Submissions.with("count += 1 }", "count += 1"),
        Submissions.with("lock m { add() }", "count += 1"),
        Submissions.with("lock m { add() }", "there.store(2)"),
        Submissions.with("adder[n] {", "adder[1024] {").replacing("n = 2", with: "n = 2"),
        String(repeating: "(", count: 1 << 20),
        Submissions.task + "thread t { let x = " + String(repeating: "(", count: 100_000) + "1 }\n",
        Submissions.task + "// " + String(repeating: "x", count: 1 << 20),
        "", "\u{0}\u{1}", "scenario",
    ]

    @Test(arguments: wrong.indices) func `a submission with errors is wrong, or evades, and never accepted`(index: Int)
        throws
    {
        if case .program = try Submissions.read(Self.wrong[index]) { Issue.record("it is accepted") }
    }

    static let honest: [(name: String, text: String)] = [
        ("the task itself", Submissions.task),
        ("no claims of its own", Submissions.task.components(before: "finally")),
        (
            "weaker claims",
            Submissions.with("expect completes", "expect race, deadlock").replacing("== n }", with: "== count }")
        ),
        ("other claims, with errors", Submissions.with("expect completes", "expect always missing == 1")),
        ("a task block of its own", Submissions.with("at most 1 mutex", "at most 9 mutexes")),
        ("the canonical form lost", Submissions.with("    lock m { add() }", "  lock  m  {\n\n add() ; }")),
        ("comments", Submissions.with("mutex m\n", "// expect race\nmutex m  // finally { }\n")),
        (
            "another name and description",
            Submissions.with("scenario \"two at once\"", "/// Mine.\nscenario \"expect race\"")
        ),
        ("functions of its own", Submissions.with("lock m { add() }", "work()") + "func work() { lock m { add() } }\n"),
        (
            "a semaphore",
            Submissions.with("lock m { add() }", "s.wait(); add(); s.signal()").replacing(
                "mutex m", with: "semaphore s = 1")
        ),
        (
            "another order",
            "scenario \"x\"\n" + Submissions.task.components(after: "once\"\n").components(before: "thread parent")
                + "thread child { }\nthread parent { spawn child; join child }\n"
        ),
        ("declarations apart", Submissions.with("shared log = [], total = 0", "shared log = []\nshared total = 0")),
        ("lines that end with a carriage return", Submissions.task.replacing("\n", with: "\r\n")),
        ("no line end", Submissions.task + "// end"),
        (
            "every path",
            Submissions.with("lock m { add() }", "if index == 0 { add(); return } else { repeat n { add() } }")
        ),
    ]

    @Test(arguments: honest.indices) func `an honest submission is read with the task's claims`(index: Int) throws {
        let (name, text) = Self.honest[index]
        switch try Submissions.read(text) {
        case .program(let judged):
            #expect(judged.program.claims.map(\.text) == ["completes", "possible there == 2"], "\(name)")
        case .wrong(let text): Issue.record("\(name) is wrong: \(text)")
        case .evading(let evasions): Issue.record("\(name) evades: \(evasions)")
        }
    }

    @Test func `every word keeps its line and column`() throws {
        let text = Submissions.with("mutex m\n", "expect sometimes \"é\" // x\nexpect always 1 == 1; mutex m\n")
            .replacing("expect sometimes \"é\"", with: "")
        guard case .program(let judged) = try Submissions.read(text) else {
            Issue.record("it is not read")
            return
        }
        let before = SourceText(name: "", text)
        let after = judged.program.source
        let mutex = try #require(before.words().first { $0.text == "mutex" })
        let moved = try #require(after.words().first { $0.text == "mutex" })
        #expect(before.site(of: mutex.span.start) == after.site(of: moved.span.start))
    }

    @Test func `a plain variable that only expectations name may become an atomic, if it begins alike`() throws {
        let task = "scenario \"x\"\nshared x = 0\nthread t[2] { x += 1 }\nexpect always x == 2\n"
        let answer = "scenario \"x\"\natomic x = 0\nthread t[2] { x.add(1) }\n"
        guard case .program = try Submissions.read(answer, against: task) else {
            Issue.record("it is not read")
            return
        }
        guard case .evading(let evasions) = try Submissions.read(answer.replacing("= 0", with: "= 1"), against: task)
        else {
            Issue.record("another beginning is not noticed")
            return
        }
        #expect(evasions.map(\.code) == [.claim])
    }

    @Test func `what a claim calls is a part of the claim`() throws {
        let task =
            "scenario \"x\"\nshared x = 0\nfunc wanted() -> Int { return 2 }\nfunc holds() -> Bool { return x == wanted() }\n"
            + "thread t[2] { x += 1 }\nfinally { assert holds() }\ntask { at most 40 lines }\n"
        for (old, new) in [("return 2", "return x"), ("x == wanted()", "true")] {
            guard case .evading(let evasions) = try Submissions.read(task.replacing(old, with: new), against: task)
            else {
                Issue.record("it is not refused")
                continue
            }
            #expect(evasions.map(\.code) == [.claim])
        }
        // The words of limits are free.
        guard case .program = try Submissions.read(task + "shared lines = 0, most = 0\n", against: task) else {
            Issue.record("it is not read")
            return
        }
    }

    @Test func `time may pass at any moment if the submission's own code waits for it`() throws {
        for (words, isFree) in [("sleep 1ms", true), ("if m.lock(for: 1ms) { m.unlock() }", true), ("yield", false)] {
            guard
                case .program(let judged) = try Submissions.read(
                    Submissions.with("    leave()", "    leave()\n    \(words)"))
            else {
                Issue.record("it is not read")
                continue
            }
            #expect(judged.waitsForTime == isFree)
        }
    }

    @Test func `a task that cannot be judged is refused`() throws {
        for text in ["scenario \"x\"\nshared x = 0\n", "scenario \"x\"\nrun lost-update\n", "nothing"] {
            #expect(throws: LabTask.Problem.self) { _ = try LabTask(SourceText(name: "task.lab", text)) }
        }
        let starts = "scenario \"x\"\nfunc go() { spawn t }\nthread t { }\nthread s { go(); join t }\n"
        let problem = #expect(throws: LabTask.Problem.self) { _ = try LabTask(SourceText(name: "task.lab", starts)) }
        #expect(problem?.message.contains("must be given") == true)
    }
}

extension String {
    fileprivate func components(before mark: String) -> String {
        String(prefix(upTo: firstRange(of: mark)!.lowerBound))
    }
    fileprivate func components(after mark: String) -> String { String(suffix(from: firstRange(of: mark)!.upperBound)) }
}
