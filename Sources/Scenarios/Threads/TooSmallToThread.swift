import Authoring

/// Measures whether small pieces of work are worth a thread.
struct TooSmallToThread: WorkingScenario {
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

        var measures: Bool { true }

        var expectation: Expectation { .completes }
    }

    @Parameter("variant of the program") var variant = Variant.threads
    @Parameter("number of pieces", in: 2...200) var pieces = 2
    @Parameter("size of a piece, in units of one to two nanoseconds", in: 1...1_000_000) var size = 1000
    package var work = Work()

    func run() throws {
        try measure("in this thread") { try workThrough(0..<pieces) }
        switch variant {
        case .threads:
            try measure("a thread for each half") { try inThreads(2) }
            try measure("a thread for each piece") { try inThreads(pieces) }
        case .calls: try byCalls()
        }
    }

    private func measure(_ way: String, _ compute: () throws -> Int) throws {
        let result = try Meter("time, \(way)").time(compute)
        let expected = (0..<pieces).reduce(0) { $0 ^ Work.result(of: size, from: $1) }
        try check(result == expected, "the result is \(result), not \(expected)")
    }

    private func workThrough(_ pieces: Range<Int>) throws -> Int {
        try pieces.reduce(0) { try $0 ^ work.perform(size, from: $1) }
    }

    /// The numbers of the pieces in one of `count` parts, which have about the same size.
    private func part(_ number: Int, of count: Int) -> Range<Int> {
        pieces * number / count..<pieces * (number + 1) / count
    }

    private func inThreads(_ count: Int) throws -> Int {
        let threads = try (0..<count).map { number in
            try Thread.returning("worker") { try workThrough(part(number, of: count)) }
        }
        return try threads.reduce(0) { try $0 ^ $1.join() }
    }

    /// Measures a single call of a worker's loop for all pieces, and then a call for each.
    private func byCalls() throws {
        let handed = try BoundedQueue<RunLoop>("hand-over", capacity: 1)
        let worker = try Thread("worker") {
            let loop = RunLoop.current
            try loop.add(InputSource("keeps the loop running") {})
            try handed.put(loop)
            while try loop.run() == .handledSource {}
        }
        guard let loop = try handed.take() else { return }
        try measure("one call for all pieces") { try compute(on: loop, calls: 1) }
        try measure("a call for each piece") { try compute(on: loop, calls: pieces) }
        try loop.stop()
        try worker.join()
    }

    private func compute(on loop: RunLoop, calls: Int) throws -> Int {
        let result = Shared("result", 0)
        for number in 0..<calls {
            try loop.perform(waitUntilDone: true) {
                let own = try workThrough(part(number, of: calls))
                try result.update { $0 ^ own }
            }
        }
        return try result.read()
    }
}
