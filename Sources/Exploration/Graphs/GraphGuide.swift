import Machine
import Trace

/// Restricts a search of graphs to one part: at each choice before the part, the search follows only the branch that
/// the part's path names. `GraphSearch.visit` asks the guide at each depth of its recursion.
///
/// The search goes through such a choice twice. The first time, the guide only counts the branches, which are numbered
/// as they come; the second time, it lets the search follow the named one. The path has no entry for a choice with a
/// single branch: a program may begin with thousands of such steps.
///
/// A guide can also probe: beyond the path, it follows one random branch of each choice, to estimate their number.
final class GraphGuide {
    /// The branches that lead to the part, one for each choice that has several.
    let path: [SearchPart.Branch]
    /// What is known of the choice at each depth.
    private var choices: [Choice]
    /// The depth at which the path ends and the part begins.
    private var end: Int
    /// From this index on, all branches of the path are the first ones of their choices. Several parts share the graphs
    /// before them: what is found there belongs to the part whose path follows only first branches from there on.
    private let firstOwn: Int
    /// Makes the choices of a probe. Nil: the search is not a probe.
    private var generator: SplitMix64?
    /// The result of a probe: the number of branches of the first choice beyond the path that has several (0: there is
    /// none), and the estimated number of choices.
    private(set) var branchCount = 0
    private(set) var estimate = 0.0
    /// The product of the numbers of branches of the choices that the probe has made.
    private var weight = 1.0

    private struct Choice {
        /// The number of branches of the path that lead to this choice.
        var place = 0
        /// The number of branches that have come so far, this time.
        var met = 0
        /// The number of branches. `none`: they are being counted.
        var count = Self.none
        /// The number of the branch that is followed.
        var chosen = Self.none

        static let none = -1
    }

    init(_ path: [SearchPart.Branch]) {
        self.path = path
        choices = Array(repeating: Choice(), count: GraphSearch.mostDepth + 1)
        end = .max
        firstOwn = (path.lastIndex { $0.number != 0 } ?? -1) + 1
    }

    /// Makes the next search a probe (Knuth 1975: "Estimating the efficiency of backtrack programs").
    func probe(_ generator: SplitMix64) {
        self.generator = generator
        (branchCount, estimate, weight) = (0, 1, 1)
    }

    /// Whether the search has to visit the graph at this depth, to which the next branch of the choice above it leads.
    @inline(always) func enters(_ depth: Int) -> Bool {
        if depth > end && generator == nil { return true }
        return isOnPath(depth)
    }

    private func isOnPath(_ depth: Int) -> Bool {
        var new = Choice()
        if depth == 0 {
            end = .max
        } else {
            let choice = choices[depth - 1]
            choices[depth - 1].met += 1
            guard choice.count != Choice.none, choice.met == choice.chosen else { return false }
            new.place = choice.place + (choice.count > 1 && choice.place < path.count ? 1 : 0)
        }
        if depth >= choices.count { return true }
        choices[depth] = new
        if new.place == path.count { end = min(end, depth) }
        return true
    }

    /// Called when all branches of the choice at this depth have come.
    ///
    /// - Returns: whether the search has to go through them again, to follow one of them.
    @inline(always) func chooses(_ depth: Int) -> Bool {
        if depth >= end && generator == nil { return false }
        return depth < choices.count && followsOne(depth)
    }

    private func followsOne(_ depth: Int) -> Bool {
        let (place, count) = (choices[depth].place, choices[depth].met)
        guard count > 0, let chosen = place < path.count ? named(place, count) : random(count) else { return false }
        choices[depth] = Choice(place: place, met: 0, count: count, chosen: chosen)
        return true
    }

    /// The branch that the path names. Nil: the choice has another number of branches than the path says.
    private func named(_ place: Int, _ count: Int) -> Int? {
        if count == 1 { return 0 }
        return path[place].count == count ? path[place].number : nil
    }

    /// A random branch. Nil: the search is not a probe.
    private func random(_ count: Int) -> Int? {
        guard var generator else { return nil }
        if branchCount == 0 && count > 1 { branchCount = count }
        let chosen = generator.next(below: count)
        self.generator = generator
        weight *= Double(count)
        estimate += weight
        return chosen
    }

    /// Called when the search leaves the graph at this depth.
    ///
    /// - Returns: whether its choice had as many branches as the path says, and as were counted.
    @inline(always) func leaves(_ depth: Int) -> Bool {
        depth >= end || choices[depth].met == choices[depth].count
    }

    /// Whether what is found at this depth belongs to this part, and not to another one that shares this graph.
    func owns(_ depth: Int) -> Bool { depth > end || choices[depth].place >= firstOwn }
}
