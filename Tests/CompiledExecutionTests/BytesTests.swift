import CCompiled
import CompiledExecution
import Exploration
import Machine
import Testing

/// Accesses of memory that overlap in any way: what the search tries, and what it calls a race, compared with all orders of small
/// programs, judged byte by byte.
@Suite(.serialized) struct BytesTests {
    @Test(arguments: 0..<12)
    func `all orders of accesses that have a byte in common are tried, and just those that race are races`(seed: UInt64)
    {
        var random = SplitMix(seed: 1000 + seed)
        for _ in 0..<40 {
            let program = BytesProgram(&random)
            let expected = program.allOrders()
            for learned in [
                program.divisions, [:], program.divisions.mapValues { $0 & UInt8(random.next() & 0xFF) | 1 },
            ] {
                let scripted = ScriptedProgram(program.requests, learned: learned)
                let subject = scripted.hosted.makeSubject(Rules(), log: nil)
                let races = RaceWatch()
                subject.observers = [races]
                let search = PartialOrderSearch(rules: Rules())
                var tried: Set<BytesProgram.Order> = []
                var number = 0
                while search.prepare(number) {
                    let verdict = search.execute(subject)
                    number += 1
                    if verdict == .stopped { continue }
                    let order = program.order(of: scripted.done)
                    tried.insert(order)
                    #expect(verdict == .completed)
                    let (isRace, isFound) = (program.races(scripted.done), races.firstRace != nil)
                    // Atomics on parts of an object order more than they should: then nothing is proved.
                    let isExact = learned == program.divisions || !program.hasAtomics
                    #expect(isFound == isRace || !isExact && isRace, "\(program) \(scripted.done)")
                }
                #expect(search.obstacle == nil)
                #expect(tried == expected, "\(program), \(learned)")
                // Steps on at most two objects are compared exactly.
                if learned == program.divisions && program.mostObjects <= 2 {
                    #expect(search.completeCount == expected.count, "\(program)")
                }
            }
        }
    }

    @Test func `neighbors in one word are no conflict, and an access of both is one with each`() {
        let (low, high) = (
            compiled_request_t(compiled_write, 4096, size: 4), compiled_request_t(compiled_write, 4100, size: 4)
        )
        let both = compiled_request_t(compiled_read, 4096, size: 8)
        #expect(search([[low], [high]], 0b1_0001) == (1, 0))
        // That it is divided was not learned: one order too many is tried, and there still is no race.
        #expect(search([[low], [high]], 1) == (2, 0))
        #expect(search([[low], [both]], 0b1_0001) == (2, 2))
        #expect(search([[low, high], [both]], 0b1_0001) == (3, 3))
    }

    /// - Parameter learned: the divisions of both words of memory.
    private func search(_ threads: [[compiled_request_t]], _ learned: UInt8) -> (executions: Int, races: Int) {
        let scripted = ScriptedProgram(threads, learned: [512: learned, 513: learned])
        let subject = scripted.hosted.makeSubject(Rules(), log: nil)
        let watch = RaceWatch()
        subject.observers = [watch]
        let search = PartialOrderSearch(rules: Rules())
        var (number, races) = (0, 0)
        while search.prepare(number) {
            _ = search.execute(subject)
            number += 1
            races += watch.firstRace == nil ? 0 : 1
        }
        return (search.completeCount, races)
    }

    private func access(
        _ kind: compiled_kind_t, _ address: UInt64, _ size: UInt64 = 8, relaxed: Bool = false
    ) -> compiled_request_t {
        var request = compiled_request_t(kind, address, size: size)
        if relaxed { request.order = 0 }
        return request
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `what was done with a whole word is known of each of its bytes when one is used alone`(byte: UInt64) {
        let alone = access(compiled_write, 4096 + byte, 1)
        #expect(search([[access(compiled_write, 4096)], [alone]], 1) == (2, 2))
        #expect(search([[access(compiled_read, 4096)], [alone]], 1) == (2, 2))
    }

    @Test func `atomics that order nothing do not race, and hide no race of another`() {
        let change = access(compiled_exchange, 4096, relaxed: true)
        #expect(search([[change], [change]], 1) == (2, 0))
        #expect(search([[change], [access(compiled_load, 4096, relaxed: true)]], 1) == (2, 0))
        // The first thread's plain write is ordered before the second one's change by a lock, and before that of the third by nothing.
        let (lock, unlock) = (compiled_request_t(compiled_lock, 8192), compiled_request_t(compiled_unlock, 8192))
        let found = search(
            [[lock, access(compiled_write, 4096), unlock], [lock, change, unlock], [change]], 1)
        #expect(found.races == found.executions)
    }

    @Test func `an atomic on two objects orders what each of them would`() {
        let message = [access(compiled_write, 4096), access(compiled_exchange, 4104)]
        for half in [4104, 4108] as [UInt64] {
            let receiver = [access(compiled_load, half, 4), access(compiled_read, 4096)]
            // Two orders of the atomics, and in that in which the load is the first one, two of the plain accesses, which race.
            #expect(search([message, receiver], 0b1_0001) == (3, 2), "\(half)")
        }
    }
}

/// A few threads that access sixteen bytes.
struct BytesProgram: CustomStringConvertible {
    enum Step {
        case access(first: Int, size: Int, writes: Bool, isAtomic: Bool)
        case lock, unlock
    }

    /// Which of two steps that depend on each other came first, for each pair.
    typealias Order = [Bool]

    private let threads: [[Step]]
    private static let start = 4096
    private static let mutex: UInt64 = 8192

    init(_ random: inout SplitMix) {
        func number(_ range: Range<Int>) -> Int { range.lowerBound + Int(random.next() % UInt64(range.count)) }
        threads = (0..<number(2..<4)).map { _ in
            var steps: [Step] = []
            let isLocked = number(0..<3) == 0
            if isLocked { steps.append(.lock) }
            for _ in 0..<number(1..<3) {
                let size = [1, 2, 4, 8, 8, 16][number(0..<6)]
                let isAtomic = size <= 8 && number(0..<4) == 0
                // Atomics are aligned; a plain access of a packed structure need not be.
                let first = isAtomic || number(0..<3) > 0 ? number(0..<16 / size) * size : number(0..<17 - size)
                steps.append(.access(first: first, size: size, writes: number(0..<2) == 0, isAtomic: isAtomic))
            }
            if isLocked { steps.append(.unlock) }
            return steps
        }
    }

    var description: String { threads.map { "\($0)" }.joined(separator: " || ") }

    var requests: [[compiled_request_t]] {
        threads.map { steps in
            steps.map { step in
                switch step {
                case .lock: compiled_request_t(compiled_lock, Self.mutex)
                case .unlock: compiled_request_t(compiled_unlock, Self.mutex)
                case .access(let first, let size, let writes, let isAtomic):
                    compiled_request_t(
                        isAtomic ? writes ? compiled_exchange : compiled_load : writes ? compiled_write : compiled_read,
                        UInt64(Self.start + first), size: UInt64(size))
                }
            }
        }
    }

    /// As they are learned.
    var divisions: [UInt64: UInt8] {
        var found: [UInt64: UInt8] = [UInt64(Self.start / 8): 1, UInt64(Self.start / 8 + 1): 1]
        for case .access(let first, let size, _, _) in threads.joined() {
            for place in [first, first + size] where place < 16 {
                found[UInt64((Self.start + place) / 8)]! |= 1 << UInt8(place % 8)
            }
        }
        return found
    }

    var hasAtomics: Bool {
        threads.joined().contains { if case .access(_, _, _, true) = $0 { true } else { false } }
    }

    /// The most objects that a step is on.
    var mostObjects: Int {
        let starts = (0..<16).filter { divisions[UInt64((Self.start + $0) / 8)]! & 1 << UInt8($0 % 8) != 0 }
        return threads.joined().map { step in
            guard case .access(let first, let size, _, _) = step else { return 1 }
            return starts.count { $0 >= first && $0 < first + size }
        }.max() ?? 0
    }

    // MARK: - All orders

    private func step(_ place: (thread: Int, number: Int)) -> Step { threads[place.thread][place.number] }

    private func depend(_ one: Step, _ other: Step) -> Bool {
        switch (one, other) {
        case (.access(let first, let size, let writes, _), .access(let second, let otherSize, let otherWrites, _)):
            (writes || otherWrites) && !Set(first..<first + size).isDisjoint(with: second..<second + otherSize)
        case (.access, _), (_, .access): false
        case (.lock, _), (.unlock, _): true
        }
    }

    func order(of run: [(thread: Int, number: Int)]) -> Order {
        let places = threads.indices.map { thread in
            threads[thread].indices.map { number in run.firstIndex { $0 == (thread, number) }! }
        }
        var order: Order = []
        for first in threads.indices {
            for second in threads.indices where second > first {
                for (number, step) in threads[first].enumerated() {
                    for (other, otherStep) in threads[second].enumerated() where depend(step, otherStep) {
                        order.append(places[first][number] < places[second][other])
                    }
                }
            }
        }
        return order
    }

    func allOrders() -> Set<Order> {
        var found: Set<Order> = []
        var run: [(thread: Int, number: Int)] = []
        func extend(_ positions: [Int], _ owner: Int?) {
            var isOver = true
            for thread in threads.indices where positions[thread] < threads[thread].count {
                isOver = false
                var (positions, owner) = (positions, owner)
                switch threads[thread][positions[thread]] {
                case .lock:
                    if owner != nil { continue }
                    owner = thread
                case .unlock: owner = nil
                case .access: break
                }
                run.append((thread, positions[thread]))
                positions[thread] += 1
                extend(positions, owner)
                run.removeLast()
            }
            if isOver { found.insert(order(of: run)) }
        }
        extend(threads.map { _ in 0 }, nil)
        return found
    }

    /// Whether the run has two accesses of a byte, one of them a write and not both atomic, that nothing orders.
    func races(_ run: [(thread: Int, number: Int)]) -> Bool {
        // By place in the run: the earlier ones that happen before.
        var before: [Set<Int>] = []
        var hasRace = false
        for (place, now) in run.enumerated() {
            var seen: Set<Int> = []
            if let last = (0..<place).last(where: { run[$0].thread == now.thread }) {
                seen.formUnion(before[last].union([last]))
            }
            for earlier in 0..<place where synchronizes(run, earlier, place) {
                seen.formUnion(before[earlier].union([earlier]))
            }
            before.append(seen)
            for earlier in 0..<place where run[earlier].thread != now.thread && !seen.contains(earlier) {
                guard case .access(_, _, _, let isAtomic) = step(run[earlier]),
                    case .access(_, _, _, let isToo) = step(now)
                else { continue }
                if !(isAtomic && isToo) && depend(step(run[earlier]), step(now)) { hasRace = true }
            }
        }
        return hasRace
    }

    /// Whether the later step acquires what the earlier one released: a lock, or an atomic that it reads.
    private func synchronizes(_ run: [(thread: Int, number: Int)], _ earlier: Int, _ later: Int) -> Bool {
        switch (step(run[earlier]), step(run[later])) {
        case (.unlock, .lock): true
        case (.access(let first, let size, true, true), .access(let second, let other, _, true)):
            !Set(first..<first + size).isDisjoint(with: second..<second + other)
        default: false
        }
    }
}

struct SplitMix {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
