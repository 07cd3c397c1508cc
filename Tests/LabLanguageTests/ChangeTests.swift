import LabProgram
import Support
import Testing

@testable import LabSyntax

/// Changes of a program's text, which the explorer tries.
@Suite struct ChangeTests {
    private func texts(_ program: String, _ kind: SourceChange.Kind) -> [String] {
        let source = SourceText(name: "test.lab", program)
        return source.changes().filter { $0.kind == kind }.compactMap {
            ChangeableText(source, completing: false).applying([$0]).map { String(decoding: $0.bytes, as: UTF8.self) }
        }
    }

    @Test func `nothing outside the change is touched, and comments are kept`() {
        let program = """
            // before
            scenario   "x"
            mutex m ; condition c with m
            shared a=0   // zero
            thread t { lock m { if a == 0 { c.wait() } } }   // waits
            thread u { lock m { a=1 ; c.signal() } }

            """
        #expect(
            texts(program, .broadcast) == [program.replacing("signal", with: "broadcast")])
        #expect(texts(program, .loopAroundWait) == [program.replacing("if a", with: "while a")])
    }

    @Test func `locks are exchanged where they are nested and where they follow each other`() {
        let nested = "scenario \"x\"\nmutex a, b\nthread t {\n    lock a {\n        lock b { yield }\n    }\n}\n"
        #expect(
            texts(nested, .lockOrder) == [
                nested.replacing("lock a", with: "lock #").replacing("lock b", with: "lock a")
                    .replacing("lock #", with: "lock b")
            ])
        let calls = "scenario \"x\"\nmutex a, b\nthread t { a.lock(); b.lock(); b.unlock(); a.unlock() }\n"
        #expect(texts(calls, .lockOrder) == [calls.replacing("a.lock(); b.lock()", with: "b.lock(); a.lock()")])
    }

    @Test func `a section is written as its author would write it`() {
        let program = """
            scenario "x"
            mutex m
            shared a = 0

            thread t { lock m { a = 2 } }

            thread u {
                let seen = a  // read
                a = seen + 1
                yield
            }

            """
        let wrapped = program.replacing(
            "    let seen = a  // read\n    a = seen + 1\n",
            with: "    lock m {\n        let seen = a  // read\n        a = seen + 1\n    }\n")
        #expect(texts(program, .lockAround).contains(wrapped))
    }

    @Test func `a read and a write become one update`() {
        let program = "scenario \"x\"\natomic a = 0\nthread t {\n    let mine = a.load()\n    a.store(mine + 1)\n}\n"
        #expect(
            texts(program, .oneUpdate)
                == ["scenario \"x\"\natomic a = 0\nthread t {\n    let mine = a.add(1)\n}\n"])
        let plain = "scenario \"x\"\nshared a = 0, b = 0\nthread t { a -= 2; b = a }\nfinally { assert a == b }\n"
        #expect(
            texts(plain, .atomic).first
                == "scenario \"x\"\nshared b = 0\natomic a = 0\nthread t { a.add(-2); b = a.load() }\nfinally { assert a.load() == b }\n"
        )
    }

    @Test func `what a program promised of failures becomes that it completes, and broken claims shall hold`() throws {
        let program = """
            scenario "x"
            atomic a = 0
            thread t[2] { a.add(1) }
            expect deadlock  // why
            expect broken invariant a < 2
            expect under sc broken invariant a < 3
            expect broken always a == 1
            expect warning contention
            expect sometimes a == 2

            """
        let fixed = try #require(ChangeableText(SourceText(name: "test.lab", program)).applying([]))
        #expect(
            String(decoding: fixed.bytes, as: UTF8.self) == """
                scenario "x"
                atomic a = 0
                thread t[2] { a.add(1) }
                expect completes  // why
                invariant a < 2
                invariant a < 3
                expect always a == 1
                expect sometimes a == 2

                """)
    }

    @Test(arguments: FormatterTests.all)
    func `a changed text can be read, keeps its comments, and stays canonical`(sample: Sample) throws {
        let source = sample.source
        let isCanonical = (try? source.formatted()).map { Array($0.utf8) == source.bytes } ?? false
        let changeable = ChangeableText(source)
        for change in source.changes() {
            guard let text = changeable.applying([change]) else { continue }
            #expect(text.parsed().parser.diagnostics.errors.isEmpty)
            let comments = [source, text].map { text in
                text.parsed().parser.comments.map { text.text($0.span) }.sorted()
            }
            #expect(comments[0] == comments[1], "\(change)")
            if isCanonical { #expect(try Array(text.formatted().utf8) == text.bytes) }
        }
    }

    @Test func `what only an assert reads gets no lock, and keeps its place`() {
        let program = """
            scenario "x"
            mutex m
            atomic flag = false, inside = 0
            thread t[2] {
                flag.store(true)
                inside.add(1)
                assert inside.load() == 1
                inside.add(-1)
                lock m { }
            }

            """
        let locked = texts(program, .lockAround) + texts(program, .newLock)
        #expect(!locked.contains { $0.contains("lock insideLock") })
        #expect(texts(program, .statementOrder).isEmpty)
        let used = program.replacing("lock m { }", with: "if inside.load() == 0 { lock m { } }")
        #expect(texts(used, .newLock).contains { $0.contains("lock insideLock") })
        let counted = program + "finally { assert inside.load() == 0 }\n"
        #expect(texts(counted, .newLock).contains { $0.contains("lock insideLock") })
    }

    @Test(arguments: [
        "await isReady", "while !isReady { }", "while !isReady { yield }", "while !isReady { if !isReady { yield } }",
    ])
    func `no lock is held where a thread waits for others`(wait: String) {
        let program = """
            scenario "x"
            mutex m
            shared isReady = false, a = 0
            thread t {
                lock m { a = 1 }
                \(wait)
                a = 2
            }
            thread u { lock m { isReady = true; a = 3 } }

            """
        for text in texts(program, .lockAround) + texts(program, .newLock) {
            #expect(text.contains("\n    \(wait)\n"), "\(text)")
        }
    }

    @Test func `a wait for a condition keeps no lock but its own`() {
        let program = """
            scenario "x"
            mutex m, other
            condition c with other
            shared a = 0
            thread t { lock other { while a == 0 { c.wait() } } }
            thread u { a = 1 }

            """
        let locked = texts(program, .lockAround) + texts(program, .newLock)
        #expect(locked.contains { $0.contains("thread u { lock other { a = 1 } }") })
        #expect(locked.allSatisfy { $0.contains("thread t { lock other { while a == 0 { c.wait() } } }") })
    }

    @Test func `a loop that ends by its own work may be in a section`() {
        let program = """
            scenario "x"
            mutex m
            shared jobs = [1, 2]
            thread t[2] { while !jobs.isEmpty { jobs.removeFirst() } }

            """
        #expect(texts(program, .lockAround).contains { $0.contains("lock m { while !jobs.isEmpty") })
    }

    @Test(arguments: [
        ("mutex m; shared a = 0; thread t { lock m { lock m { a += 1 } } }", SourceChange.Kind.recursive, "half done"),
        ("shared a = 0\nsemaphore s; thread t[2] { a += 1; s.wait() }", .newLock, "'s' should keep the threads apart"),
        ("shared a = 0\nsemaphore s; thread t[2] { if a == 0 { s.wait() } }", .newLock, "at line 3 with the lock held"),
        ("mutex m; shared a = 0; thread t[2] { a += 1; assert a == 1 }", .lockAround, "the assert at line 2"),
        ("shared a = 0, b = 0; thread t { a = 1; b = 1 }", .statementOrder, "the old order"),
        ("rwlock r; shared a = 0; thread t { reading r { a = 1 } }", .writeLock, "Readers then wait"),
    ])
    func `a change that may miss the point says so`(program: String, kind: SourceChange.Kind, caution: String) {
        let changes = SourceText(name: "test.lab", "scenario \"x\"\n\(program)\n").changes()
        #expect(changes.contains { $0.kind == kind && $0.caution?.contains(caution) == true })
    }

    @Test func `a program made to have very many changes has a bounded number of them`() {
        let names = (0..<400).map { "m\($0)" }.joined(separator: ", ")
        let body = (0..<150).map { "lock m\($0) { a += 1; b = a }" }.joined(separator: "\n")
        let program = "scenario \"x\"\nmutex \(names)\nshared a = 0, b = 0\nthread t[9] {\n\(body)\n}\n"
        let changes = SourceText(name: "test.lab", program).changes()
        #expect(changes.count <= 100 * SourceChange.Kind.allCases.count)
        let deep = String(repeating: "lock m { ", count: 150) + "a += 1" + String(repeating: " }", count: 150)
        #expect(
            SourceText(name: "test.lab", "scenario \"x\"\nmutex m\nshared a = 0\nthread t { \(deep) }\n").changes()
                .count
                <= 100 * SourceChange.Kind.allCases.count)
        #expect(SourceText(name: "test.lab", "scenario \"x\"\nthread t { ").changes().isEmpty)
    }
}
