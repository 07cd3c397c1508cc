import Authoring
import Execution
import Synchronization
import Testing

@testable import ThreadLabTesting

/// `#expect` and `#require` in code that is explored.
@Suite struct ExpectationTests {
    /// What each issue says that the body has as a result. (`withKnownIssue` would see those too that are dropped.)
    private func issues(_ body: () throws -> Void) throws -> [String] {
        let texts = Synchronization.Mutex<[String]>([])
        let trait: IssueHandlingTrait = .compactMapIssues { issue in
            texts.withLock { $0.append(issue.comments.map(\.rawValue).joined()) }
            return nil
        }
        let (test, testCase) = (try #require(Test.current), try #require(Test.Case.current))
        try CallersThread.run(body) { body in
            try await trait.provideScope(for: test, testCase: testCase) { body() }
        }
        return texts.withLock { $0 }
    }

    static func lostUpdate() throws -> Int {
        let count = Authoring.Atomic("count", 0)
        try concurrently {
            try count.store(count.load() + 1)
        } and: {
            try count.store(count.load() + 1)
        }
        return try count.load()
    }

    @Test(arguments: [ScheduleSearch.automatic, .isolated])
    func `an expectation that fails is one finding, with its schedule`(_ search: ScheduleSearch) throws {
        let texts = try issues {
            try explore(search) {
                let count = try Self.lostUpdate()
                #expect(count == 2, "an update was lost")
            }
        }
        #expect(texts.count == 1)
        #expect(texts[0].hasPrefix("assertion: An assertion failed: an update was lost: (count → 1) == 2"))
        #expect(texts[0].contains("Replay: try replay(\""))
        #expect(texts[0].contains("ExpectationTests.swift:\(line() - 6)"))
    }

    @Test func `a requirement that fails is one finding, with its schedule`() throws {
        let texts = try issues { try explore { try #require(try Self.lostUpdate() == 2) } }
        #expect(texts.count == 1)
        #expect(texts[0].hasPrefix("assertion: "))
        #expect(texts[0].contains("== 2"))
        #expect(!texts[0].contains("ExpectationFailedError"))
    }

    @Test func `so is one in a thread that is not the main thread`() throws {
        let texts = try issues {
            try explore {
                let count = Authoring.Atomic("count", 0)
                try concurrently {
                    let seen = try count.load()
                    #expect(seen == 0)
                } and: {
                    try count.store(1)
                }
            }
        }
        #expect(texts.count == 1)
        #expect(texts[0].hasPrefix("assertion: An assertion failed: (seen → 1) == 0"))
    }

    @Test func `a requirement in another thread ends the run`() throws {
        let texts = try issues {
            try explore {
                let count = Authoring.Atomic("count", 0)
                try concurrently {
                    try #require(try count.load() == 0)
                } and: {
                    try count.store(1)
                }
            }
        }
        #expect(texts.count == 1)
        #expect(texts[0].hasPrefix("assertion: "))
    }

    @Test func `a replay has the same finding`() throws {
        let texts = try issues { try replay("") { #expect(1 == 2) } }
        #expect(texts.count == 1)
        #expect(texts[0].hasPrefix("assertion: An assertion failed: 1 == 2"))
    }

    @Test func `a program may be expected to fail one`() throws {
        let result = try explore(expecting: .assertion) {
            let count = try Self.lostUpdate()
            #expect(count == 2)
        }
        #expect(result.findings.map(\.outcome) == [.assertion])
    }

    @Test func `an expectation that holds costs nothing`() throws {
        let result = try explore(.exhaustive) {
            let (a, b) = try concurrently {
                1
            } and: {
                2
            }
            #expect(a + b == 3)
            try #require(a < b)
        }
        #expect(result.triedEveryOrder && result.findings.isEmpty)
    }

    @Test func `without a search, the error of a requirement has its place`() throws {
        var ending: ErrorEnding?
        withKnownIssue {
            do { try #require(1 == 2) } catch { ending = ErrorEnding(error) }
        }
        #expect(ending?.verdict == .assertion)
        #expect(ending?.text == "#require at ExpectationTests.swift:\(line() - 3) failed")
    }

    @Test func `after the search, an expectation is an ordinary one`() throws {
        let texts = try issues {
            try explore {}
            #expect(1 == 2, "after it")
        }
        #expect(texts == ["after it"])
    }
}
