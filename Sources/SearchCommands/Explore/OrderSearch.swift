import Console
import LabSyntax
import Supervision
import Trace

/// `explore --suggest` for memory orders: looks for the weakest orders with which no execution of a `.lab` program
/// fails. If the program fails, as few orders as possible become stronger. If it does not, orders become weaker where
/// possible.
///
/// A stronger order never adds executions. So if the program fails with certain orders, it also fails with weaker ones;
/// and an order whose weakening alone makes the program fail remains necessary if others are weakened.
struct OrderSearch {
    private let plan: SearchPlan
    private let text: ChangeableText
    private let places: [OrderPlace]
    private let read: (SourceText) -> LabVersion?
    private let progress: FixProgress
    private let end: Deadline
    private var result = FixResult()
    /// Whether some choice of orders was neither proved nor seen to fail.
    private var isOpen = false

    /// New orders, by the index of the place in `places`.
    private typealias Orders = [Int: MemoryOrder]

    /// The maximum number of places with an order. A program with more is not changed.
    private static let mostPlaces = 24
    /// The maximum number of choices that are tried.
    private static let most = 400
    /// The maximum number of executions in the search of one choice.
    private static let mostExecutions = 1_000_000

    init(
        _ plan: SearchPlan, _ source: SourceText, until end: Deadline, _ progress: FixProgress,
        read: @escaping (SourceText) -> LabVersion?
    ) {
        self.plan = plan
        text = ChangeableText(source, like: plan.scenario)
        places = source.orderPlaces()
        self.read = read
        self.progress = progress
        self.end = end
    }

    /// For a program that fails: strengthens as few orders as possible to fix it, each no more than necessary. If the
    /// strongest orders everywhere do not fix it, no change is found.
    mutating func strengthen() throws -> FixResult {
        let weak = places.indices.filter { !places[$0].stronger.isEmpty }
        guard !weak.isEmpty, places.count <= Self.mostPlaces, try holds(strongest(weak)) else { return result }
        var needed = weak
        for place in weak where try holds(strongest(needed.filter { $0 != place })) {
            needed.removeAll { $0 == place }
        }
        if let fewer = try fewest(of: weak, below: needed.count) { needed = fewer }
        var orders = strongest(needed)
        for place in needed {
            for order in places[place].stronger.dropLast() {
                guard try holds(orders.merging([place: order]) { $1 }) else { continue }
                orders[place] = order
                break
            }
        }
        return noted("No smaller number of orders cures it, and none of these can be weaker.")
    }

    /// For a program that does not fail: weakens the orders that can be weaker.
    mutating func weaken() throws -> FixResult {
        guard places.count <= Self.mostPlaces else {
            result.note = "whether orders can be weaker is tried for at most \(Self.mostPlaces) of them; here are more."
            return result
        }
        var orders: Orders = [:]
        // Fences come last, so that a fence keeps its order and the operations that it makes up for lose theirs.
        for place in places.indices.filter({ places[$0].kind != .fence })
            + places.indices.filter({ places[$0].kind == .fence })
        {
            for order in places[place].weaker {
                guard try holds(orders.merging([place: order]) { $1 }) else { continue }
                orders[place] = order
                break
            }
        }
        if result.tried == 0 { return result }
        return noted(
            result.proved == nil
                ? "no memory order can be weaker: with each, an execution fails."
                : "With any other order weaker, an execution fails.")
    }

    // MARK: - Parts

    private var isOver: Bool { result.isOutOfTime || result.signal != nil || result.tried >= Self.most }

    /// The result with the note, or with a weaker note if some choices are open or were not tried.
    private mutating func noted(_ note: String) -> FixResult {
        let isKnown = !isOver && !isOpen
        result.note = isKnown ? note : "Not every choice was proved or refuted, so weaker orders may do as well."
        return result
    }

    /// The strongest possible order at each of these places.
    private func strongest(_ places: [Int]) -> Orders {
        Dictionary(
            uniqueKeysWithValues: places.compactMap { place in
                self.places[place].stronger.last.map { (place, $0) }
            })
    }

    /// The first of the smallest sets of places that suffice. Nil: no set with fewer places than the limit suffices.
    private mutating func fewest(of places: [Int], below limit: Int) throws -> [Int]? {
        for size in stride(from: 1, to: limit, by: 1) {
            for set in Self.sets(of: places, size) where try holds(strongest(set)) { return set }
        }
        return nil
    }

    /// All sets of this size.
    private static func sets(of places: [Int], _ size: Int) -> [[Int]] {
        guard size > 0 else { return [[]] }
        return places.indices.flatMap { first in
            sets(of: Array(places[(first + 1)...]), size - 1).map { [places[first]] + $0 }
        }
    }

    /// Whether it is proved that no execution fails with these orders. If so, they become the result so far. False if
    /// no time is left for the search that would prove it.
    private mutating func holds(_ orders: Orders) throws -> Bool {
        // Without a changed order, this is the program itself, which is known to fail: only `strengthen` asks that.
        if isOver || orders.isEmpty { return false }
        let left = end.left
        if left == 0 {
            result.isOutOfTime = true
            return false
        }
        let changes = orders.keys.sorted().map { places[$0].change(to: orders[$0]!) }
        guard let changed = text.applying(changes), let version = read(changed) else {
            isOpen = true
            return false
        }
        progress.show(result.tried + 1, of: Self.most)
        let program = try ChangedProgram(
            version.program, as: plan, executions: Self.mostExecutions, time: left)
        result.tried += 1
        switch program.judgement {
        case .proved:
            result.proved = FixResult.Proved(changes: changes, program: program, text: changed)
            return true
        case .interrupted(let signal):
            result.signal = signal
            return false
        case .open:
            isOpen = true
            return false
        case .fails: return false
        }
    }
}

extension OrderPlace {
    /// The order at the place. An operation that names none has the strongest.
    private var present: MemoryOrder { order.flatMap { MemoryOrder(word: $0.rawValue) } ?? .seqcst }
    private var possible: [MemoryOrder] {
        switch kind {
        case .load: MemoryOrder.ofLoads
        case .store: MemoryOrder.ofStores
        case .update: MemoryOrder.ofUpdates
        case .fence: MemoryOrder.ofFences
        }
    }

    /// The possible stronger orders, the weakest first.
    fileprivate var stronger: [MemoryOrder] { possible.filter { present.isWeaker(than: $0) } }
    /// The possible weaker orders, the weakest first.
    fileprivate var weaker: [MemoryOrder] { possible.filter { $0.isWeaker(than: present) } }

    fileprivate func change(to order: MemoryOrder) -> SourceChange { change(from: present.word, to: order.word) }
}
