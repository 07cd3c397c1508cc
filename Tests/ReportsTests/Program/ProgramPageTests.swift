import Exploration
import LabExecution
import Machine
import Support
import Testing
import Text
import Trace

@testable import Reports
@testable import embed_files

/// Pages that carry all states of a program.
@Suite struct ProgramPageTests {
    private static let deadlock = """
        scenario "two locks"
        mutex a, b
        thread first { lock a { lock b { } } }
        thread second { lock b { lock a { } } }
        """

    // MARK: - The engine

    @Test(
        arguments: [
            deadlock,
            """
            scenario "ways"
            mutex m
            condition c with m
            shared ready = 0, picked = -1
            thread waiter[3] { lock m { while ready == 0 { c.wait() }; ready = ready - 1 } }
            thread maker { repeat 3 { lock m { ready = ready + 1; c.signal() } }; picked = choose(3) }
            """,
            """
            scenario "started in any order"
            atomic a = 0
            rwlock l
            semaphore s = 1
            thread boss[2] { spawn kid[index]; s.wait(); l.readLock(); a.add(1); l.unlock(); s.signal(); join kid[index] }
            thread kid[2] { l.writeLock(); a.add(2); l.unlock() }
            """,
            """
            scenario "spinning"
            atomic isOpen = false
            thread opener { sleep 5ms; isOpen.store(true) }
            thread spinner { while !isOpen.load() { yield } }
            """,
            """
            scenario "attempts"
            mutex a, b
            thread one { a.lock(); if b.tryLock() { b.unlock() }; a.unlock() }
            thread two { b.lock(); if a.lock(for: 3ms) { a.unlock() }; b.unlock() }
            """,
            """
            scenario "values"
            shared list = [], flag = false
            thread one { list.append(1); flag = true }
            thread two { let old = flag; if old { list.append(2) }; assert list.count < 2 }
            """,
        ])
    func `a page has every state and every move of the engine`(_ text: String) throws {
        let program = try PagedTestProgram(text)
        let page = try program.read()
        let walk = EngineWalk(page, program.engine())
        #expect(walk.differences == [])
        #expect(walk.edges == page.moves.reduce(0) { $0 + $1.count })
    }

    @Test func `so does a page under other rules`() throws {
        for change in [("spurious", "1"), ("timeouts", "any"), ("waiters", "fifo")] {
            var rules = Rules()
            let isKnown = rules.change(change.0, to: change.1)
            #expect(isKnown)
            let program = try PagedTestProgram(
                """
                scenario "rules"
                mutex m
                condition c with m
                shared ready = 0
                thread waiter[2] { lock m { if ready == 0 { c.wait(for: 2ms) } } }
                thread maker { lock m { ready = 1; c.signal() } }
                """, rules)
            #expect(EngineWalk(try program.read(), program.engine()).differences == [], "\(change)")
        }
    }

    @Test func `so does the page of each program that comes with the tool and is small`() throws {
        var count = 0
        for text in Repository.files(in: "scenarios", ending: ".lab") {
            let program = try PagedTestProgram(text)
            guard program.program.builtIn == nil, let map = try? program.map(most: 200) else { continue }
            count += 1
            let page = program.page(map)
            let html = ByteSink.collect { page.write(to: &$0) }
            let read = try ReadProgramPage(html)
            #expect(EngineWalk(read, program.engine()).differences == [], "\(program.program.title)")
            #expect(try unlikeSearch(read, program, ordered: text) == [], "\(program.program.title)")
            #expect(wrongDistances(read) == [], "\(program.program.title)")
            #expect(html.utf8.count < 150_000, "\(program.program.title)")
        }
        #expect(count > 100)
    }

    /// What the search by states finds and the page's goals are the same kinds of failure. A race that the search finds only
    /// where a run completes is on the page wherever it can happen next. One that there is only because the orders of atomics
    /// are weak has accesses that are never next to each other: a page says that it does not show such races.
    private func unlikeSearch(_ page: ReadProgramPage, _ program: PagedTestProgram, ordered text: String) throws
        -> [String]
    {
        let found = failures(of: program)
        let shown = page.data["goals"].items.compactMap { goal -> String? in
            if case .string(let name) = goal["name"], name != "state" { name } else { nil }
        }
        let race = OutcomeKind.race.rawValue
        var unlike = found.symmetricDifference(Set(shown)).filter { $0 != race }
        if found.contains(race), !shown.contains(race), try failures(of: sequentiallyConsistent(text)).contains(race) {
            unlike.insert(race)
        }
        return unlike.sorted()
    }

    private func failures(of program: PagedTestProgram) -> Set<String> {
        var goal = SearchGoal()
        goal.keepsGoing = true
        return Set(StateSearch(program.engine(), goal).run(1_000_000).findings.map(\.kind.rawValue))
    }

    /// The program with the default order for every operation.
    private func sequentiallyConsistent(_ text: String) throws -> PagedTestProgram {
        let orders = /(?:, )?\b(?:relaxed|acquire|release|acqRel)\b(?=[,)])/
        let code = text.split(separator: "\n").filter { !$0.hasPrefix("///") && !$0.contains("fence(") }
        return try PagedTestProgram(code.joined(separator: "\n").replacing(orders, with: ""))
    }

    // MARK: - Goals

    @Test func `a goal's distances are those of a search from each state`() throws {
        let race = "scenario \"race\"\nshared x = 0\nthread t[2] { x = x + 1 }\nfinally { assert x == 2 }"
        for text in [Self.deadlock, race] {
            let page = try PagedTestProgram(text).read()
            #expect(!page.data["goals"].items.isEmpty)
            #expect(wrongDistances(page) == [])
            for goal in page.data["goals"].items {
                let distances = goal["distance"].items.map(\.number)
                #expect(distances[0] == shortest(page, from: 0) { distances[$0] == 0 })
            }
        }
    }

    /// The states whose distance is not one more than the smallest one behind a move, which only shortest distances are.
    private func wrongDistances(_ page: ReadProgramPage) -> [String] {
        page.data["goals"].items.flatMap { goal -> [String] in
            guard case .string(let name) = goal["name"] else { return ["no name"] }
            let distances = goal["distance"].items.map(\.number)
            return page.moves.indices.compactMap { state in
                let next = page.moves[state].map { distances[$0.target] }.filter { $0 >= 0 }.min().map { $0 + 1 } ?? -1
                let isGoal = isGoal(state, name, page)
                if let isGoal, isGoal != (distances[state] == 0) { return "\(name): state \(state) is one, or is not" }
                return distances[state] == 0 || distances[state] == next ? nil : "\(name): state \(state)"
            }
        }
    }

    /// Nil: the page's data do not tell.
    private func isGoal(_ state: Int, _ name: String, _ page: ReadProgramPage) -> Bool? {
        switch name {
        case "state": nil
        case OutcomeKind.race.rawValue: page.races.contains(state) || page.ends[state] == name
        case OutcomeKind.livelock.rawValue, OutcomeKind.starvation.rawValue:
            page.cycles.contains(state) || page.ends[state] == name
        default: page.ends[state] == name
        }
    }

    private func shortest(_ page: ReadProgramPage, from start: Int, to isGoal: (Int) -> Bool) -> Int? {
        var depth = 0
        var level: Set<Int> = [start]
        var seen = level
        while !level.isEmpty {
            if level.contains(where: isGoal) { return depth }
            level = Set(level.flatMap { page.moves[$0].map(\.target) }).subtracting(seen)
            seen.formUnion(level)
            depth += 1
        }
        return nil
    }

    @Test func `a schedule that the page's moves make leads to the goal`() throws {
        let program = try PagedTestProgram(Self.deadlock)
        let map = try program.map()
        let distances = try #require(ProgramGoal.chosen(.outcome(.deadlock), in: map)).distances
        var choices: [Schedule.Choice] = []
        var state = 0
        while let left = distances[state], left > 0 {
            let move = try #require(map.moves[state].first { distances[$0.target] == left - 1 })
            choices += move.choices
            state = move.target
        }
        let engine = program.engine()
        _ = engine.run(Replay(Schedule(choices)))
        #expect(engine.verdict == .deadlock)
        #expect(choices.count == distances[0])
    }

    @Test func `a program without a failure says so, with all its states`() throws {
        let program = try PagedTestProgram("scenario \"none\"\nmutex m\nthread t[2] { lock m { } }\nexpect completes")
        let map = try program.map()
        let page = program.page(map)
        #expect(
            page.facts
                == "All \(map.states.count) states and \(map.moveCount) moves are on this page: none fails, and every run that ends completes."
        )
        #expect(try program.read().html.contains("none of its \(map.states.count) states fails"))
    }

    @Test func `two accesses that can be next are a race, and a lock between them is none`() throws {
        let race = "scenario \"r\"\nmutex m\nshared x = 0\nthread a { x = 1 }\nthread b { let y = x; assert y < 2 }"
        let page = try PagedTestProgram(race).read()
        #expect(!page.races.isEmpty)
        #expect(page.html.contains("Data race on x: a and b can access it next, one reads and the other writes"))
        let locked = race.replacing("{ x = 1 }", with: "{ lock m { x = 1 } }")
            .replacing("{ let y = x; assert y < 2 }", with: "{ lock m { let y = x; assert y < 2 } }")
        #expect(try PagedTestProgram(locked).read().races.isEmpty)
    }

    @Test func `a promised end is a goal`() throws {
        let text = "scenario \"s\"\natomic a = 0\nthread t { a.add(choose(2)) }\nexpect sometimes a == 1"
        let goals = try PagedTestProgram(text).read().data["goals"].items
        #expect(goals.map { $0["title"] } == [.string("Reach an end with a == 1")])
    }

    @Test func `a level has one goal, and links to other levels`() throws {
        let program = try PagedTestProgram(Self.deadlock)
        let map = try program.map()
        let file = PageFile(name: "two.lab", text: Self.deadlock)
        var level = try #require(
            ProgramPage(level: map, .outcome(.deadlock), title: "Level <2>", file: file, command: "t"))
        level.intro = ["Make them <wait>."]
        level.previous = .init("Level 1", to: "level-1.html")
        level.next = .init("Level 3", to: "level-3.html?a&b")
        let html = ByteSink.collect { level.write(to: &$0) }
        #expect(level.shortest == 4)
        #expect(html.contains("<body class=\"level\">"))
        #expect(html.contains("<h1>Level &lt;2&gt;</h1>"))
        #expect(html.contains("<p>Make them &lt;wait&gt;.</p>"))
        #expect(html.contains("<a rel=\"next\" href=\"level-3.html?a&amp;b\">Level 3</a>"))
        #expect(ProgramPage(level: map, .outcome(.race), title: "", file: file, command: "t") == nil)
    }

    @Test func `a level can have any states as its goal`() throws {
        let program = try PagedTestProgram(Self.deadlock)
        let engine = program.engine()
        let map = try StateMap(
            engine, program.rules, most: { _, _ in 100 },
            isGoal: { engine.machine.object(1).owner != 0 && engine.machine.object(2).owner != 0 })
        let goal = try #require(ProgramGoal.chosen(.marked("Reach a state in which both are held"), in: map))
        #expect(goal.shortest == 3 || goal.shortest == 4)
        #expect(map.states.contains { $0.isGoal && $0.end == nil })
    }

    // MARK: - Safety and size

    @Test func `no text of a program becomes markup or code`() throws {
        let program = try PagedTestProgram(
            """
            scenario "</script><script>alert(1)</script>"
            atomic a = 0
            thread t { note "</script><img src=x onerror=alert(2)>"; a.add(1) }
            """)
        let page = try program.read()
        #expect(page.html.ranges(of: "<script").count == 9)
        #expect(page.html.ranges(of: "</script").count == 9)
        #expect(!page.html.contains("<img"))
        #expect(page.html.contains("<h1>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;</h1>"))
    }

    @Test func `a page allows its own scripts and styles, and nothing else`() throws {
        let html = try PagedTestProgram(Self.deadlock).read().html
        let policy = try #require(html.firstMatch(of: /Content-Security-Policy" content="([^"]*)"/)).1
        for (element, directive) in [("style", "style-src"), ("script", "script-src")] {
            let texts = html.ranges(of: "<\(element)>").compactMap { begin -> String? in
                html[begin.upperBound...].firstRange(of: "</\(element)>").map {
                    String(html[begin.upperBound..<$0.lowerBound])
                }
            }
            let digests = texts.map { "'sha256-\(SHA256.digest(Array($0.utf8)).base64)'" }
            #expect(policy.contains("\(directive) \(digests.joined(separator: " "));"))
        }
        #expect(policy.hasPrefix("default-src 'none'; "))
        #expect(!policy.contains("unsafe"))
        for word in ["http://", "https://", " src=", " style=", "onclick", "innerHTML", "eval("] {
            #expect(!html.contains(word), "\(word)")
        }
    }

    @Test func `a program with too many states is not described, and its states are counted`() throws {
        let program = try PagedTestProgram(
            "scenario \"many\"\natomic a = 0, b = 0, c = 0\nthread t[6] { a.add(1); b.add(1); c.add(1) }")
        let size = try #require(throws: StateMap.TooLarge.self) { try program.map(most: 50) }
        #expect(size.limit == 50)
        #expect(size.count > 50)
    }
}
