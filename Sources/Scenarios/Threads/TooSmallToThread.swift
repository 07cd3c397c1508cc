import Authoring

/// Whether work is worth a thread.
struct TooSmallToThread: Scenario {
    static let name = "too-small-to-thread"
    static let summary = "Small pieces of work: done at once, by a thread each, and by a call each. Measured."
    static let lesson = """
        A thread costs some ten microseconds before it does anything, and a call to another thread's loop costs two \
        thread switches. A piece of work that is shorter than that is done faster where it is. Measure before and \
        after: what is slower with threads than without is not worth a thread. If it must go to another thread, send \
        many pieces with one call. Under the scheduler time stands still, so measure on real threads: 'run \
        too-small-to-thread --native --pieces 100'.
        """
    static let guide: Guide? = Guide(
        .threadingProgrammingGuide, chapter: "About Threaded Programming", section: "Alternatives to Threads")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case threads, calls

        var summary: String {
            switch self {
            case .threads: "in this thread, a thread for each half, a thread for each piece"
            case .calls: "one call for all pieces, a call for each piece"
            }
        }

        var expectation: Expectation { .completes }
    }

    @Parameter("variant of the program") var variant = Variant.threads
    @Parameter("number of pieces", in: 2...200) var pieces = 2
    @Parameter("size of a piece: 1000 take about a microsecond", in: 1...1_000_000) var size = 1000

    func run() throws {
        let expected = Meter("time, in this thread").time { (0..<pieces).reduce(0) { $0 ^ work($1) } }
        switch variant {
        case .threads:
            try measure("a thread for each half", expected) { try inThreads(2) }
            try measure("a thread for each piece", expected) { try inThreads(pieces) }
        case .calls: try byCalls(expected)
        }
    }

    private func measure(_ way: String, _ expected: Int, _ compute: () throws -> Int) throws {
        let result = try Meter("time, \(way)").time(compute)
        try check(result == expected, "the result is \(result), not \(expected)")
    }

    /// The pieces of one part, of as many parts of about the same size.
    private func part(_ number: Int, of count: Int) -> Range<Int> {
        pieces * number / count..<pieces * (number + 1) / count
    }

    private func inThreads(_ count: Int) throws -> Int {
        let threads = try (0..<count).map { number in
            try Thread.returning("worker") { part(number, of: count).reduce(0) { $0 ^ work($1) } }
        }
        return try threads.reduce(0) { try $0 ^ $1.join() }
    }

    /// Calls to a worker's loop, each of which is waited for.
    private func byCalls(_ expected: Int) throws {
        let handed = try BoundedQueue<RunLoop>("hand-over", capacity: 1)
        let worker = try Thread("worker") {
            let loop = RunLoop.current
            try loop.add(InputSource("keeps the loop running") {})
            try handed.put(loop)
            while try loop.run() == .handledSource {}
        }
        guard let loop = try handed.take() else { return }
        try measure("one call for all pieces", expected) { try compute(on: loop, calls: 1) }
        try measure("a call for each piece", expected) { try compute(on: loop, calls: pieces) }
        try loop.stop()
        try worker.join()
    }

    private func compute(on loop: RunLoop, calls: Int) throws -> Int {
        let result = Shared("result", 0)
        for number in 0..<calls {
            try loop.perform(waitUntilDone: true) {
                try result.update { value in part(number, of: calls).reduce(value) { $0 ^ work($1) } }
            }
        }
        return try result.read()
    }

    /// Some arithmetic that cannot be left out.
    private func work(_ piece: Int) -> Int {
        var state = UInt64(truncatingIfNeeded: piece) &+ 1
        for _ in 0..<size { state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407 }
        return Int(truncatingIfNeeded: state >> 8)
    }
}
