import Authoring
import Glibc
import Testing
import ThreadLabTesting

/// Searches in processes of their own. Each starts this test program again.
@Suite("explore, isolated") struct IsolationTests {
    @Test("a program is proved as in the test's own process") func proves() throws {
        let result = try explore(.isolated, time: .seconds(600)) {
            let count = Atomic("count", 0)
            let other = try Thread("other") { try count.add(1) }
            try count.add(1)
            try other.join()
            try check(try count.load() == 2)
        }
        #expect(result.triedEveryOrder && result.different == 2)
    }

    @Test("a crash is a finding, and the test process survives it") func crash() throws {
        let result = try explore(.isolated, time: .seconds(600), expecting: .crash) {
            let count = Atomic("count", 0)
            let other = try Thread("other") { try count.store(1) }
            if try count.load() == 1 { abort() }
            try other.join()
        }
        #expect(result.findings[0].schedule.hasPrefix("0,1"))
    }

    @Test("an endless loop is a finding") func loop() throws {
        try explore(.isolated, time: .seconds(600), expecting: .timeout) {
            let count = Atomic("count", 0)
            let other = try Thread("other") { try count.store(1) }
            if try count.load() == 1 { while true {} }
            try other.join()
        }
    }

    @Test("each case of a parameterized test has its own search", arguments: [1, 2, 3])
    func cases(_ number: Int) throws {
        let result = try explore(.exhaustive.isolated, time: .seconds(600)) {
            let count = Atomic("count", 0)
            let threads = try (0..<number).map { _ in try Thread { try count.add(1) } }
            for thread in threads { try thread.join() }
        }
        #expect(result.different == [1, 2, 6][number - 1])
    }

    @Test("each round of a loop has its own search") func rounds() throws {
        for number in 1...3 {
            let result = try explore(.exhaustive.isolated, time: .seconds(600)) {
                let count = Atomic("count", 0)
                let threads = try (0..<number).map { _ in try Thread { try count.add(1) } }
                for thread in threads { try thread.join() }
            }
            #expect(result.different == [1, 2, 6][number - 1])
        }
    }

    @Test("a failure arrives with its lanes") func failure() {
        let text = issueText { try explore(.isolated, time: .seconds(600)) { try check(false, "no") } }
        #expect(text.hasPrefix("assertion: "))
        #expect(text.contains("IsolationTests.swift:\(line() - 2)"))
    }
}
