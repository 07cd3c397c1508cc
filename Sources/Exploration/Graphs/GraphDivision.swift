import Machine
import Trace

/// Divides a search of graphs into parts that are searched independently of each other, and together have every graph exactly once.
///
/// The search is a tree of choices, and what comes below a choice depends on the graph there alone: it keeps no memory of what it has
/// seen. So its branches are parts, and so are their branches. What seems to have the most choices is divided first; that is
/// estimated by random ways through the tree. What the parts are follows from the program and the seed alone, unless it is stopped:
/// then there are fewer.
package struct GraphDivision {
    private let search: GraphSearch
    /// What is divided.
    private let whole: [SearchPart.Branch]
    private let isStopped: () -> Bool
    private var random: SplitMix64

    private struct Group {
        let path: [SearchPart.Branch]
        /// Of the choice at its end. 0: there is none.
        var branchCount = 0
        var estimate = 0.0
    }

    /// The number of random ways through each part.
    private static let probes = 24

    /// - Parameters:
    ///   - part: what is divided; by default, all graphs.
    ///   - seed: of the random ways.
    package init(
        _ part: SearchPart = SearchPart(), of subject: any GraphSearchable, _ rules: Rules, seed: UInt64,
        isStopped: @escaping () -> Bool = { false }
    ) {
        whole = part.branches
        search = GraphSearch(subject.makeGraphSubject(), rules.model, spurious: rules.spuriousWakeups)
        random = SplitMix64(seed: seed)
        self.isStopped = isStopped
    }

    /// The parts, those that seem to be the largest first.
    ///
    /// - Parameter most: of parts. There are fewer if there are no more choices.
    package func parts(atMost most: Int) -> [SearchPart] {
        var parts: [SearchPart] = []
        // A search calls itself.
        let thread = SearchThread {
            var division = self
            parts = division.divide(most)
        }
        return thread.resume() ? parts : [.branches(whole)]
    }

    private mutating func divide(_ most: Int) -> [SearchPart] {
        var groups = [group(whole)]
        // At least once: otherwise work with little time would never end.
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
