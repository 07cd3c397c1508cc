import Machine
import Trace

/// Divides a search of graphs into parts that can be searched independently. Each graph is in exactly one part.
///
/// The search is a tree of choices. What follows a choice depends only on the graph at the choice, because the search
/// remembers nothing else. So each branch of a choice can be a part, which can be divided again. The part that seems to
/// contain the most choices is divided first: their number is estimated by random descents through the tree. Unless it
/// is stopped, a division depends only on the program and the seed.
package struct GraphDivision {
    private let search: GraphSearch
    /// The path to the part that is divided.
    private let whole: [SearchPart.Branch]
    private let isStopped: () -> Bool
    private var random: SplitMix64

    /// A part: what follows the branches of this path.
    private struct Group {
        let path: [SearchPart.Branch]
        /// The number of branches of the first choice in the part. 0: it has no choice.
        var branchCount = 0
        /// The sum of the probes' estimates of the number of choices.
        var estimate = 0.0
    }

    /// The number of random descents through each part.
    private static let probes = 24

    /// - Parameters:
    ///   - part: the graphs to divide; by default, all.
    ///   - seed: the seed of the random descents.
    package init(
        _ part: SearchPart = SearchPart(), of subject: any GraphSearchable, _ rules: Rules, seed: UInt64,
        isStopped: @escaping () -> Bool = { false }
    ) {
        whole = part.branches
        search = GraphSearch(subject.makeGraphSubject(), rules.model, spurious: rules.spuriousWakeups)
        random = SplitMix64(seed: seed)
        self.isStopped = isStopped
    }

    /// The parts, sorted by their estimated size, greatest first.
    ///
    /// - Parameter most: the maximum number of parts. The result has fewer if there are no more choices, or if the
    ///   division is stopped.
    package func parts(atMost most: Int) -> [SearchPart] {
        var parts: [SearchPart] = []
        // The search is recursive, and needs the large stack of such a thread.
        let thread = SearchThread {
            var division = self
            parts = division.divide(most)
        }
        return thread.resume() ? parts : [.branches(whole)]
    }

    private mutating func divide(_ most: Int) -> [SearchPart] {
        var groups = [group(whole)]
        // Divides at least once: otherwise work with a short time limit would never be divided, and never end.
        while groups.count == 1 || !isStopped() {
            let divisible = groups.indices.filter { isDivisible(groups[$0], among: groups.count, most) }
            guard let largest = divisible.max(by: { groups[$0].estimate < groups[$1].estimate }) else { break }
            let (path, count) = (groups[largest].path, groups[largest].branchCount)
            let branches = (0..<count).map { group(path + [.init($0, of: count)]) }
            groups.replaceSubrange(largest...largest, with: branches)
        }
        let order = groups.indices.sorted { (groups[$0].estimate, $1) > (groups[$1].estimate, $0) }
        return order.map { .branches(groups[$0].path) }
    }

    private func isDivisible(_ group: Group, among count: Int, _ most: Int) -> Bool {
        group.branchCount > 0 && group.path.count < PartCover.mostOrders && count - 1 + group.branchCount <= most
    }

    /// The part at the end of this path, with its estimate.
    private mutating func group(_ path: [SearchPart.Branch]) -> Group {
        var group = Group(path: path)
        for _ in 0..<Self.probes where group.estimate == 0 || !isStopped() {
            let guide = GraphGuide(path)
            guide.probe(SplitMix64(seed: random.next()))
            search.guide = guide
            search.run()
            group.branchCount = guide.branchCount
            group.estimate += guide.estimate
            if group.branchCount == 0 { break }
        }
        return group
    }
}
