import Machine
import Primitives
import Synchronization
import Trace

/// A small random program of atomics with memory orders, written twice: in Swift, and as the text of a `.lab` program.
struct SwiftProgram {
    private enum Action {
        case load(Int, into: Int, AtomicLoadOrdering)
        case store(Int, Int, AtomicStoreOrdering)
        case add(Int, into: Int, AtomicUpdateOrdering)
        case exchange(Int, Int, into: Int, AtomicUpdateOrdering)
        /// Writes whether it has stored, after the value that the Swift type says was found.
        case compareExchange(Int, Int, into: Int, AtomicUpdateOrdering, AtomicLoadOrdering, isWeak: Bool)
        case fence(AtomicUpdateOrdering)
    }

    private var threads: [[Action]] = []
    private var generator: SplitMix64
    private(set) var registers = 0
    private static let names = ["x", "y"]

    init(seed: UInt64) {
        generator = SplitMix64(seed: seed)
        for _ in 0..<2 { threads.append((0..<2 + number(2)).map { _ in action() }) }
    }

    private mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }
    private mutating func pick<Value>(_ values: [Value]) -> Value { values[number(values.count)] }

    private mutating func action() -> Action {
        let atomic = number(2)
        let update = pick(Self.updates)
        switch number(8) {
        case 0, 1: return .store(atomic, 1 + number(2), pick([.relaxed, .releasing, .sequentiallyConsistent]))
        case 2, 3: return .load(atomic, into: register(), pick(Self.loads))
        case 4: return .add(atomic, into: register(), update)
        case 5: return .exchange(atomic, 2, into: register(), update)
        case 6:
            return .compareExchange(
                atomic, number(2), into: register(), update, pick(Self.loads), isWeak: number(2) == 0)
        default:
            return .fence(pick([.acquiring, .releasing, .acquiringAndReleasing, .sequentiallyConsistent]))
        }
    }

    private mutating func register() -> Int {
        registers += 1
        return registers - 1
    }

    private static let loads: [AtomicLoadOrdering] = [.relaxed, .acquiring, .sequentiallyConsistent]
    private static let updates: [AtomicUpdateOrdering] = [
        .relaxed, .acquiring, .releasing, .acquiringAndReleasing, .sequentiallyConsistent,
    ]

    // MARK: - As a text

    var text: String {
        let values = (0..<registers).map { "r\($0) = 0" }.joined(separator: ", ")
        let lines = threads.enumerated().map { number, actions in
            "thread t\(number) { \(actions.map(Self.statement).joined(separator: "; ")) }"
        }
        return (["atomic x = 0, y = 0", registers > 0 ? "shared \(values)" : ""] + lines).joined(separator: "\n")
    }

    private static func statement(_ action: Action) -> String {
        switch action {
        case .load(let atomic, let register, let order): "r\(register) = \(names[atomic]).load(\(word(order)))"
        case .store(let atomic, let value, let order):
            "\(names[atomic]).store(\(value), \(order == .relaxed ? "relaxed" : order == .releasing ? "release" : "seqcst"))"
        case .add(let atomic, let register, let order): "r\(register) = \(names[atomic]).add(1, \(word(order)))"
        case .exchange(let atomic, let value, let register, let order):
            "r\(register) = \(names[atomic]).exchange(\(value), \(word(order)))"
        case .compareExchange(let atomic, let expected, let register, let order, let failure, let isWeak):
            "if \(names[atomic]).\(isWeak ? "weakC" : "c")ompareExchange(\(expected), 3, \(word(order)), \(word(failure))) "
                + "{ r\(register) = 1 }"
        case .fence(let order): "fence(\(word(order)))"
        }
    }

    private static func word(_ order: AtomicLoadOrdering) -> String {
        order == .relaxed ? "relaxed" : order == .acquiring ? "acquire" : "seqcst"
    }

    private static func word(_ order: AtomicUpdateOrdering) -> String {
        let words = ["relaxed", "acquire", "release", "acqRel", "seqcst"]
        return words[updates.firstIndex(of: order)!]
    }

    // MARK: - In Swift

    /// Runs it on the runtime of the calling thread.
    ///
    /// - Parameter note: receives what the atomics hold at the end, and the registers.
    func run(_ note: ([Int]) -> Void) throws {
        let atomics = Self.names.map { Primitives.Atomic($0, 0) }
        // Plain memory, which no step is about: each word is written by one thread, and read when that has ended.
        let words = UnsafeMutablePointer<Int>.allocate(capacity: max(1, registers))
        words.initialize(repeating: 0, count: registers)
        defer { words.deallocate() }
        nonisolated(unsafe) let memory = words
        let running = try threads.map { actions in
            try Thread { for action in actions { try Self.take(action, atomics, memory) } }
        }
        for thread in running { try thread.join() }
        note(try atomics.map { try $0.load() } + (0..<registers).map { words[$0] })
    }

    private static func take(
        _ action: Action, _ atomics: [Primitives.Atomic<Int>], _ registers: UnsafeMutablePointer<Int>
    ) throws {
        switch action {
        case .load(let atomic, let register, let order): registers[register] = try atomics[atomic].load(ordering: order)
        case .store(let atomic, let value, let order): try atomics[atomic].store(value, ordering: order)
        case .add(let atomic, let register, let order):
            registers[register] = try atomics[atomic].add(1, ordering: order)
        case .exchange(let atomic, let value, let register, let order):
            registers[register] = try atomics[atomic].exchange(value, ordering: order)
        case .compareExchange(let atomic, let expected, let register, let order, let failure, let isWeak):
            let (done, found) =
                isWeak
                ? try atomics[atomic].weakCompareExchange(
                    expected: expected, desired: 3, successOrdering: order, failureOrdering: failure)
                : try atomics[atomic].compareExchange(
                    expected: expected, desired: 3, successOrdering: order, failureOrdering: failure)
            if done { registers[register] = 1 }
            // No value is negative.
            try check(found >= 0 && (!done || found == expected), "it found \(found)")
        case .fence(let order): try Fence.issue(ordering: order)
        }
    }
}
