import Exploration
import LabLanguage
import Machine
import Testing

/// Numbers of executions that papers and other explorers give for small programs.
@Suite struct PublishedCountTests {
    struct Published: CustomTestStringConvertible, Sendable {
        var name: String
        var text: String
        var traces: Int
        var testDescription: String { name }
    }

    static let programs = [
        Published(
            name: "two increments, not locked",
            text: "shared x = 0\nthread t[2] { let r = x; x = r + 1 }", traces: 4),
        Published(
            name: "three increments, not locked",
            text: "shared x = 0\nthread t[3] { let r = x; x = r + 1 }", traces: 36),
        Published(
            name: "four increments, not locked",
            text: "shared x = 0\nthread t[4] { let r = x; x = r + 1 }", traces: 576),
        Published(name: "five atomic increments", text: "atomic x = 0\nthread t[5] { x.add(1) }", traces: 120),
        Published(name: "locked increments, 3 × 3", text: Self.counter(3, 3), traces: 1680),
        Published(
            name: "two locks in opposite orders",
            text: "mutex a, b\nthread p { lock a { lock b { } } }\nthread q { lock b { lock a { } } }", traces: 3),
        Published(
            name: "two locks in one order",
            text: "mutex a, b\nthread p[2] { lock a { lock b { } } }", traces: 2),
        Published(name: "readers, 8", text: Self.readers(8), traces: 256),
        Published(name: "last zero, 5", text: Self.lastZero(5), traces: 64),
        Published(name: "last zero, 7", text: Self.lastZero(7), traces: 320),
        Published(name: "philosophers, 4, in order", text: Self.philosophers(4, isOrdered: true), traces: 14),
        Published(name: "philosophers, 4", text: Self.philosophers(4, isOrdered: false), traces: 15),
        Published(
            name: "bounded buffer, 2 and 2, one item each, capacity 1", text: Self.buffer(items: 1, conditions: 2),
            traces: 56),
        Published(
            name: "bounded buffer with one condition", text: Self.buffer(items: 1, conditions: 1), traces: 60),
    ]

    static func counter(_ threads: Int, _ times: Int) -> String {
        "shared x = 0\nmutex m\nthread t[\(threads)] { repeat \(times) { lock m { x += 1 } } }"
    }

    static func readers(_ n: Int) -> String {
        "shared x = 0, y[\(n)] = 0\nthread writer { x = 1 }\nthread reader[\(n)] { let local = y[index]; let seen = x; note \"\\(seen) \\(local)\" }"
    }

    static func lastZero(_ n: Int) -> String {
        """
        shared cells[\(n + 1)] = 0
        thread reader { var i = \(n); while cells[i] != 0 { i -= 1 } }
        thread writer[\(n)] { let seen = cells[index]; cells[index + 1] = seen + 1 }
        """
    }

    static func philosophers(_ n: Int, isOrdered: Bool) -> String {
        isOrdered
            ? """
            mutex fork[\(n)]
            thread philosopher[\(n)] {
                if index == \(n - 1) { lock fork[0] { lock fork[index] { } } } else { lock fork[index] { lock fork[index + 1] { } } }
            }
            """
            : "mutex fork[\(n)]\nthread philosopher[\(n)] { lock fork[index] { lock fork[(index + 1) % \(n)] { } } }"
    }

    static func buffer(items: Int, conditions: Int) -> String {
        let empty = conditions == 2 ? "notEmpty" : "changed"
        let full = conditions == 2 ? "notFull" : "changed"
        return """
            mutex m
            condition \(conditions == 2 ? "notEmpty, notFull" : "changed") with m
            shared count = 0
            thread producer[2] { repeat \(items) { lock m { while count == 1 { \(full).wait() }; count += 1; \(empty).signal() } } }
            thread consumer[2] { repeat \(items) { lock m { while count == 0 { \(empty).wait() }; count -= 1; \(full).signal() } } }
            """
    }

    @Test(arguments: programs, PartialOrderSearch.Form.allCases)
    func `each trace is run once`(_ published: Published, _ form: PartialOrderSearch.Form) throws {
        var rules = Rules()
        rules.endsAtCycles = false
        rules.waiters = .fifo
        let engine = try TestProgram(published.text).engine(rules)
        let search = PartialOrderSearch(form, rules: rules)
        var number = 0
        while search.prepare(number) {
            _ = search.execute(engine)
            number += 1
            if number > 100_000 { break }
        }
        #expect(search.obstacle == nil)
        #expect(search.completeCount == published.traces)
        if form == .optimal { #expect(search.redundantCount == 0) }
    }
}
