import Authoring
import Glibc
import Testing
import ThreadLabTesting

/// Searches in processes of their own. Each starts this test program again.
@Suite struct IsolationTests {
    @Test func `a program is proved as in the test's own process`() throws {
        let result = try explore(.isolated, time: .seconds(600)) {
            let count = Atomic("count", 0)
            let other = try Thread("other") { try count.add(1) }
            try count.add(1)
            try other.join()
            try check(try count.load() == 2)
        }
        #expect(result.triedEveryOrder && result.different == 2)
    }

    @Test func `a crash is a finding, and the test process survives it`() throws {
        let result = try explore(.isolated, time: .seconds(600), expecting: .crash) {
            let count = Atomic("count", 0)
            let other = try Thread("other") { try count.store(1) }
            if try count.load() == 1 { abort() }
            try other.join()
        }
        #expect(result.findings[0].schedule.hasPrefix("0,1"))
    }

    @Test func `a failed check of Swift is a finding with its message and its place`() {
        let place = "IsolationTests.swift:\(line() + 5)"
        let text = issueText {
            try explore(.isolated, time: .seconds(600)) {
                let count = Atomic("count", 0)
                let other = try Thread("other") { try count.store(1) }
                if try count.load() == 1 { fatalError("no such item") }
                try other.join()
            }
        }
        #expect(text.hasPrefix("crash: The program crashed at \(place): Fatal error: no such item"))
        #expect(text.contains("Tests/ThreadLabTestingTests/\(place)"))
    }

    @Test func `an endless loop is a finding`() throws {
        try explore(.isolated, time: .seconds(600), expecting: .timeout) {
            let count = Atomic("count", 0)
            let other = try Thread("other") { try count.store(1) }
            if try count.load() == 1 { while true {} }
            try other.join()
        }
    }

    @Test(arguments: [1, 2, 3])
    func `each case of a parameterized test has its own search`(_ number: Int) throws {
        let result = try explore(.exhaustive.isolated, time: .seconds(600)) {
            let count = Atomic("count", 0)
            let threads = try (0..<number).map { _ in try Thread { try count.add(1) } }
            for thread in threads { try thread.join() }
        }
        #expect(result.different == [1, 2, 6][number - 1])
    }

    @Test func `each round of a loop has its own search`() throws {
        for number in 1...3 {
            let result = try explore(.exhaustive.isolated, time: .seconds(600)) {
                let count = Atomic("count", 0)
                let threads = try (0..<number).map { _ in try Thread { try count.add(1) } }
                for thread in threads { try thread.join() }
            }
            #expect(result.different == [1, 2, 6][number - 1])
        }
    }

    @Test func `a failure arrives with its lanes`() {
        let text = issueText { try explore(.isolated, time: .seconds(600)) { try check(false, "no") } }
        #expect(text.hasPrefix("assertion: "))
        #expect(text.contains("IsolationTests.swift:\(line() - 2)"))
    }
}
