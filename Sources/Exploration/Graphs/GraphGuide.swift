import Machine
import Trace

/// Leads a search of graphs to one part of it: of each choice on the way, only the branch that is named is searched.
///
/// The branches of a choice are numbered as they come. A choice on the way is taken twice: first its branches are counted, and then one of
/// them is followed. A choice with one branch leaves nothing to be named, so the way skips it: a program may begin with thousands of such
/// steps. A guide can also probe: beyond the way, it follows one random branch of each choice.
final class GraphGuide {
    let path: [SearchPart.Branch]
    /// What is known of the choice at each depth.
    private var choices: [Choice]
    /// The depth of the graph at which the way ends.
    private var end: Int
    /// What is found on the way from this place on belongs to this part, because all branches that follow are the first
    /// ones of their choices.
    private let firstOwn: Int
    private var generator: SplitMix64?
    /// What a probe has shown: the number of branches of the first choice beyond the way that has several, and how many choices there
    /// may be. 0: there is none.
    private(set) var branchCount = 0
    private(set) var estimate = 0.0
    private var weight = 1.0

    private struct Choice {
        /// How many branches of the way lead here.
        var place = 0
        /// The number of branches that have come so far: when they were counted, or since then.
        var met = 0
        /// None: they are being counted.
        var count = Self.none
        /// The one that is followed.
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

    /// Whether the search visits the graph at this depth: the next branch of the choice above it.
    @inline(always) func enters(_ depth: Int) -> Bool {
        if depth > end && generator == nil { return true }
        return isOnWay(depth)
    }

    private func isOnWay(_ depth: Int) -> Bool {
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
    /// - Returns: whether they are to come again, because one of them is followed.
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

    /// The branch that the way names. Nil: the choice has other branches.
    private func named(_ place: Int, _ count: Int) -> Int? {
        if count == 1 { return 0 }
        return path[place].count == count ? path[place].number : nil
    }

    private func random(_ count: Int) -> Int? {
        guard var random = generator else { return nil }
        if branchCount == 0 && count > 1 { branchCount = count }
        let chosen = random.next(below: count)
        generator = random
        weight *= Double(count)
        estimate += weight
        return chosen
    }

    /// Called when the search leaves the graph at this depth.
    ///
    /// - Returns: whether its choice had the branches that the way says, and as many as were counted.
    @inline(always) func leaves(_ depth: Int) -> Bool {
        depth >= end || choices[depth].met == choices[depth].count
    }

    /// Whether what is found at this depth belongs to this part, and not to another one with the same way up to there.
    func owns(_ depth: Int) -> Bool { depth > end || choices[depth].place >= firstOwn }
}
