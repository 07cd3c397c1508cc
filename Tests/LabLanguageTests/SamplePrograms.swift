import Testing
import Trace

/// The programs that the language was designed around, and some for what they leave out.
struct SampleProgram: CustomTestStringConvertible, Sendable {
    var name: String
    var text: String
    /// Every outcome that random schedules must show, and no other.
    var outcomes: Set<OutcomeKind>

    var testDescription: String { name }

    static let all: [SampleProgram] = [
        SampleProgram(
            name: "lost update",
            text: """
                scenario "lost update"
                shared count = 0
                thread adder[2] {
                    let seen = count
                    count = seen + 1
                }
                finally { assert count == 2 }
                expect race, assertion
                """, outcomes: [.race, .assertion]),
        SampleProgram(
            name: "opposite orders",
            text: """
                scenario "opposite orders"
                mutex a, b
                thread first  { a.lock(); b.lock(); b.unlock(); a.unlock() }
                thread second { lock b { lock a { } } }
                expect deadlock
                """, outcomes: [.deadlock, .completed]),
        SampleProgram(
            name: "one condition for two predicates",
            text: """
                scenario "one condition for two predicates"
                parameter capacity = 1
                mutex m
                condition changed with m
                shared buffer = []
                thread producer[2] {
                    lock m {
                        while buffer.count == capacity { changed.wait() }
                        buffer.append(index)
                        changed.signal()
                    }
                }
                thread consumer[2] {
                    lock m {
                        while buffer.count == 0 { changed.wait() }
                        let item = buffer.removeFirst()
                        changed.signal()
                    }
                }
                expect deadlock
                """, outcomes: [.deadlock, .completed]),
        SampleProgram(
            name: "peterson",
            text: """
                scenario "peterson"
                atomic flag[2] = false, turn = 0
                shared inside = 0
                thread worker[2] {
                    let other = 1 - index
                    flag[index].store(true)
                    turn.store(other)
                    await !(flag[other].load() && turn.load() == other)
                    inside = inside + 1
                    assert inside == 1
                    inside = inside - 1
                    flag[index].store(false)
                }
                expect completes
                """, outcomes: [.completed]),
        SampleProgram(
            name: "primitives",
            text: """
                scenario "primitives"
                parameter rounds = 2
                semaphore s = 1
                rwlock rw
                recursive mutex again
                barrier meeting(2)
                once setup
                mutex m
                shared total = 0, marks[2] = 0, log = [1, 2]
                atomic hits = 0
                func twice(n: Int) -> Int { return n * 2 }
                thread worker[2] {
                    once setup { hits.add(100) }
                    for i in 0..<rounds {
                        s.wait()
                        total += twice(i)
                        s.signal()
                    }
                    lock again { lock again { hits.add(1) } }
                    if meeting.wait() { note "last \\(index)" }
                    writing rw { marks[index] = 1 }
                    reading rw { assert marks[index] == 1 }
                    if m.tryLock() { m.unlock() }
                    if m.lock(for: 10ms) { log.append(index); m.unlock() }
                    sleep 5ms
                    yield
                    var k = choose(3)
                    while true {
                        if k == 0 { break }
                        k -= 1
                    }
                    repeat 2 { hits.add(1) }
                }
                thread helper { hits.add(1000) }
                thread main2 { spawn helper; join helper }
                finally {
                    assert hits.load() == 1106, "hits \\(hits.load())"
                    assert log.count == 4
                    assert total == 4
                }
                expect completes
                """, outcomes: [.completed]),
        SampleProgram(
            name: "await forever",
            text: """
                scenario "await forever"
                atomic gate = 0
                thread opener { if choose(2) == 0 { gate.store(1) } }
                thread guest { await gate.load() == 1 }
                expect deadlock
                """, outcomes: [.deadlock, .completed]),
        SampleProgram(
            name: "endless",
            text: """
                scenario "endless"
                thread busy { while true { } }
                expect livelock
                """, outcomes: [.livelock]),
        SampleProgram(
            name: "overflow",
            text: """
                scenario "overflow"
                shared x = 1
                thread t { while true { x = x * 1000 } }
                expect error
                """, outcomes: [.error]),
        SampleProgram(
            name: "a list without end",
            text: """
                scenario "a list without end"
                shared log = []
                thread t { while true { log.append(1) } }
                expect error
                """, outcomes: [.error]),
        SampleProgram(
            name: "out of bounds",
            text: """
                scenario "out of bounds"
                shared a[3] = 0, log = []
                thread t { let i = choose(4); a[i] = 1; if i == 2 { let x = log.removeFirst(); assert x == 0 } }
                expect error
                """, outcomes: [.error, .completed]),
        SampleProgram(
            name: "values at the end",
            text: """
                scenario "values at the end"
                atomic x = 0, y = 0
                shared r0 = 0, r1 = 0
                thread left { x.store(1); r0 = y.load() }
                thread right { y.store(1); r1 = x.load() }
                expect never r0 == 0 && r1 == 0
                expect sometimes r0 == 1 && r1 == 1
                expect outcomes { r0 == 0 && r1 == 1; r0 == 1 && r1 == 0; r0 == 1 && r1 == 1 }
                """, outcomes: [.completed]),
    ]
}
