import Machine
import Trace

/// Leads a search of graphs to one part of it: of each choice on the way, only the branch that is named is searched.
///
/// The branches of a choice are numbered as they come. A guide can also probe: beyond the way, it follows one random branch of each
/// choice, after it has counted them.
final class GraphGuide {
    let path: [SearchPart.Branch]
    /// By the depth of a choice: the number of its branches that have come so far, and the one that a probe follows; none while it counts.
    private var met: [Int]
    private var chosen: [Int]
    /// From this depth on, what is on the way belongs to this part: all branches that follow are the first ones.
    private let firstOwn: Int
    private var generator: SplitMix64?
    /// What a probe has shown: the number of branches of the choice at the end of the way, and how many choices there may be below.
    private(set) var branchCount = 0
    private(set) var estimate = 0.0
    private var weight = 1.0

    private static let none = -1

    init(_ path: [SearchPart.Branch]) {
        self.path = path
        met = Array(repeating: 0, count: GraphSearch.mostDepth + 1)
        chosen = Array(repeating: Self.none, count: GraphSearch.mostDepth + 1)
        firstOwn = (path.lastIndex { $0.number != 0 } ?? -1) + 1
    }

    /// Makes the next search a probe (Knuth 1975: "Estimating the efficiency of backtrack programs").
    func probe(_ generator: SplitMix64) {
        self.generator = generator
        (branchCount, estimate, weight) = (0, 1, 1)
    }

    /// Whether the search visits the graph at this depth: the next branch of the choice above it.
    @inline(always) func enters(_ depth: Int) -> Bool {
        if depth > path.count && generator == nil { return true }
        return isOnWay(depth)
    }

    private func isOnWay(_ depth: Int) -> Bool {
        if depth > 0 {
            let choice = depth - 1
            let number = met[choice]
            met[choice] += 1
            guard number == (choice < path.count ? path[choice].number : chosen[choice]) else { return false }
        }
        if depth < met.count { (met[depth], chosen[depth]) = (0, Self.none) }
        return true
    }

    /// All branches of the choice at this depth have come. Whether they are to come again, because a probe follows one of them.
    @inline(always) func chooses(_ depth: Int) -> Bool {
        generator != nil && depth >= path.count && depth < met.count && followsOne(depth)
    }

    private func followsOne(_ depth: Int) -> Bool {
        let count = met[depth]
        if depth == path.count { branchCount = count }
        guard count > 0, var random = generator else { return false }
        chosen[depth] = random.next(below: count)
        generator = random
        met[depth] = 0
        weight *= Double(count)
        estimate += weight
        return true
    }

    /// The search leaves the graph at this depth. Whether its choice had as many branches as the way says.
    @inline(always) func leaves(_ depth: Int) -> Bool { depth >= path.count || met[depth] == path[depth].count }

    /// Whether what is found at this depth belongs to this part, and not to another one with the same way up to there.
    func owns(_ depth: Int) -> Bool { depth >= firstOwn }
}
