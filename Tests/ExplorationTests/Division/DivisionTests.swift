import Exploration
import LabExecution
import Machine
import Support
import Testing

/// The parts into which a search is divided, against the search as a whole.
@Suite struct DivisionTests {
    static let seeds: [ClosedRange<UInt64>] =
        Extent.first(
            1, of: stride(from: 1, through: 60, by: 10).map { $0...$0 + 9 }) + found.map { $0...$0 }

    /// Each has lost a trace: in a part, when a wait may end spuriously, or as a whole too, when a thread is detached.
    static let found: [UInt64] = [227, 287, 387, 405, 1187, 1276, 1580, 1752, 1882]

    @Test(arguments: seeds, TraceCensusTests.rules)
    func `the parts of a program have the traces of the whole, each once`(
        _ seeds: ClosedRange<UInt64>, _ rules: Rules
    ) throws {
        for seed in seeds {
            for text in Self.programs(seed) {
                try compare(text, rules, "seed \(seed)") { Division(of: $0, seed: 1).parts(atMost: 6) }
            }
        }
    }

    @Test(arguments: seeds, TraceCensusTests.rules)
    func `a part that is divided further has its traces, each once`(_ seeds: ClosedRange<UInt64>, _ rules: Rules) throws
    {
        for seed in seeds {
            for text in Self.programs(seed) {
                try compare(text, rules, "seed \(seed)") { engine in
                    let parts = Division(of: engine, seed: 1).parts(atMost: 3)
                    let further = parts.flatMap { Division($0, of: engine, seed: 2).parts(atMost: 3) }
                    #expect(PartCover.flaw(of: further) == nil)
                    return further
                }
            }
        }
    }

    /// In some executions one of the steps is taken and the other is not, or neither is.
    @Test(arguments: seeds, TraceCensusTests.rules)
    func `whatever the steps are, the halves have the traces of the whole`(
        _ seeds: ClosedRange<UInt64>, _ rules: Rules
    ) throws {
        for seed in seeds {
            for (place, text) in Self.programs(seed).enumerated() {
                let object = ObjectIdentity(maker: 0, nth: (Int(seed) + place) % 5)
                let first = OrderedStep(thread: 1, object: object, number: Int(seed) % 2)
                let second = OrderedStep(thread: 2, object: object, number: place % 2)
                try compare(text, rules, "seed \(seed)") { _ in
                    [
                        SearchPart([.init(first, before: second, needsEarlier: false)]),
                        SearchPart([.init(second, before: first, needsEarlier: true)]),
                    ]
                }
            }
        }
    }

    private static func programs(_ seed: UInt64) -> [String] {
        [
            RandomProgram(seed: seed).lab, EarlyEndProgram(seed: seed).text, FeatureProgram(seed: seed, size: 2).text,
            AwaitProgram(seed: seed).text,
        ]
    }

    private func compare(_ text: String, _ rules: Rules, _ name: String, _ divide: (Engine) -> [SearchPart]) throws {
        let engine = try TestProgram(text).engine(rules)
        let parts = divide(engine)
        let search = PartialOrderSearch(rules: rules)
        guard let whole = TraceCensus(of: engine, by: search, limit: 1000) else { return }
        var counts: [Endings.Ending: Int] = [:]
        for part in parts {
            let search = PartialOrderSearch(rules: rules, part: part)
            let found = try #require(TraceCensus(of: engine, by: search, limit: 5000))
            #expect(search.obstacle == nil, "\(name), \(rules), \(part)\n\(text)")
            counts.merge(found.counts) { $0 + $1 }
        }
        let comment: Comment = "\(name), \(rules), \(parts)\n\(text)"
        // If another thread ends the run, a choice before is tried with all its values, and an `await` with and without
        // steps that touch nothing.
        if text.contains("choose(") || text.contains("await ") {
            #expect(Set(counts.keys) == Set(whole.counts.keys), comment)
        } else {
            #expect(counts == whole.counts, comment)
        }
    }

    // MARK: - Where the orders are

    /// Programs whose threads contend only after many steps: with objects of their own, or with the same one before others start.
    static let late = [
        """
        atomic x = 0, y = 0
        thread a { repeat 300 { x.add(1) }; repeat 3 { y.add(1) } }
        thread b { repeat 3 { y.add(1) } }
        """,
        """
        atomic x = 0
        thread a { repeat 60 { x.add(1) }; spawn b; repeat 3 { x.add(1) }; join b }
        thread b { repeat 3 { x.add(1) } }
        """,
        """
        atomic x = 0
        thread a { repeat 3 { x.add(1) }; repeat 60 { x.load() } }
        thread b { repeat 40 { x.load() }; repeat 3 { x.add(1) } }
        """,
    ]

    @Test(arguments: late) func `orders behind many steps divide a program`(text: String) throws {
        let engine = try TestProgram(text).engine()
        let parts = Division(of: engine, seed: 1).parts(atMost: 4)
        #expect(parts.count == 4 && PartCover.flaw(of: parts) == nil)
    }

    /// Where each order of the changes of one object is another execution, the sizes of the parts are known well.
    @Test func `parts are about as large as each other`() throws {
        let engine = try TestProgram(
            """
            shared counter = 0
            mutex m
            thread worker[2] { repeat 3 { lock m { counter = counter + 1 } } }
            thread last { lock m { counter = counter + 1 } }
            """
        ).engine()
        let sizes = Division(of: engine, seed: 1).parts(atMost: 8).map { part in
            let search = PartialOrderSearch(rules: Rules(), part: part)
            var count = 0
            while search.prepare(count) {
                _ = search.execute(engine)
                count += 1
            }
            return search.distinctCount
        }
        #expect(sizes.count == 8 && sizes.reduce(0, +) == 140)
        #expect(sizes.allSatisfy { (9...26).contains($0) }, "\(sizes)")
    }

    /// Each thread takes the lock only if it does not see the next one's flag, so few steps are in all random executions.
    @Test func `threads that are not always ahead of each other are divided, too`() throws {
        let threads = [("a", 0, 1), ("b", 1, 2), ("c", 2, 0)].map { name, own, next in
            """
            thread \(name) {
                repeat 2 { f\(own).store(1); if f\(next).load() == 0 { lock m { s = s + 1 } }; f\(own).store(0) }
            }
            """
        }
        let text = "atomic f0 = 0, f1 = 0, f2 = 0\nshared s = 0\nmutex m\n" + threads.joined(separator: "\n")
        let engine = try TestProgram(text).engine()
        let parts = Division(of: engine, seed: 1).parts(atMost: 8)
        #expect(parts.count > 1 && PartCover.flaw(of: parts) == nil)
    }

    /// Loads are taken before what threads contend for: none of the threads is always the first to do so.
    @Test func `parts are about as large as each other where threads look at what others change`() throws {
        let text = """
            atomic x = 0, n = 0
            thread a { repeat 2 { x.compareExchange(0, 1); n.add(1) } }
            thread b { repeat 2 { x.compareExchange(1, 0); n.add(1) } }
            thread c { x.compareExchange(1, 2); n.add(1) }
            """
        let engine = try TestProgram(text).engine()
        let sizes = Division(of: engine, seed: 1).parts(atMost: 8).map { part in
            let search = PartialOrderSearch(rules: Rules(), part: part)
            var count = 0
            while search.prepare(count) {
                _ = search.execute(engine)
                count += 1
            }
            return count
        }
        let sum = sizes.reduce(0, +)
        #expect(sizes.count == 8 && sizes.allSatisfy { $0 * 4 < sum }, "\(sizes)")
    }

    @Test func `a division that is stopped has fewer parts, and they are a whole`() throws {
        let engine = try TestProgram(Self.late[0]).engine()
        // After the last random execution, too.
        for most in [0, 20, 40, 60, 80, 96, 100] {
            var questions = 0
            let division = Division(of: engine, seed: 1, forParts: 4) {
                questions += 1
                return questions > most
            }
            let parts = division.parts(atMost: 4)
            #expect(parts.count <= 4 && PartCover.flaw(of: parts) == nil)
            // A few random executions are enough to divide it at all.
            #expect((parts.count > 1) == (most > 0), "\(most)")
        }
    }
}
