import Machine

/// Divides the executions of a program into parts that can be searched independently. Each execution is in exactly one
/// part.
///
/// Two steps of different threads that change the same object come in one order or the other, so they divide the
/// executions in two. Each half is divided again by another pair. The best pairs are those whose two orders are about
/// equally frequent in random executions. Unless it is stopped, a division depends only on the program and the seed.
package struct Division {
    private let table: OrderTable
    private let whole: SearchPart
    /// For each object considered: the steps on it whose order may divide executions, as indices in `table.steps`.
    private let candidates: [[Int]]
    private let isStopped: () -> Bool
    /// Whether the division was stopped before it had run all its random executions. It then divides by those that it
    /// has, because work with a short time limit would otherwise never be divided, and never end.
    private let isCut: Bool
    /// The group of all random executions. Set after all else, which it is made of.
    private var root: Group?

    /// A part, and the numbers of the random executions that are in it.
    private struct Group {
        var part: SearchPart
        var walks: [Int]
        /// The two steps whose order divides the part best, as indices in `table.steps`. Nil: the part cannot be
        /// divided.
        var division: (first: Int, second: Int)?
    }

    /// Limits of the random executions: their number, and the number of their steps in total.
    private static let mostWalks = 1024
    private static let mostSteps = 1 << 21
    /// The number of random executions for each part that may be requested.
    private static let walksOfPart = 24
    /// Groups with fewer random executions are not divided.
    private static let fewestWalks = 12
    /// Only this number of objects is considered: those with the most steps in the table.
    private static let mostObjects = 12

    /// - Parameters:
    ///   - part: the executions to divide; by default, all.
    ///   - seed: the seed of the random executions.
    ///   - most: the maximum number of parts that will be requested. Few parts need fewer random executions.
    ///   - isStopped: whether to make no more random executions and divisions.
    package init(
        _ part: SearchPart = SearchPart(), of subject: any Subject, seed: UInt64, forParts most: Int = .max,
        isStopped: @escaping () -> Bool = { false }
    ) {
        self.init(part, OrderSurvey(seed: seed, in: part), subject, most, isStopped)
        if root?.division != nil || isCut { return }
        // Only steps that are taken in all random executions can divide them. If the threads with the lowest numbers
        // always go first, there are more such steps.
        let survey = OrderSurvey(seed: seed, in: part, favorsFirstThreads: true)
        self = Division(part, survey, subject, most, isStopped)
    }

    private init(
        _ part: SearchPart, _ survey: OrderSurvey, _ subject: any Subject, _ most: Int,
        _ isStopped: @escaping () -> Bool
    ) {
        whole = part
        self.isStopped = isStopped
        var steps = 0
        var number = 0
        let walks = most < Self.mostWalks / Self.walksOfPart ? most * Self.walksOfPart : Self.mostWalks
        while number < walks && steps < Self.mostSteps && !isStopped() {
            _ = survey.prepare(number)
            _ = survey.execute(subject)
            steps += subject.stepCount
            number += 1
        }
        isCut = number < walks && steps < Self.mostSteps
        var byObject: [ObjectIdentity: [Int]] = [:]
        table = survey.table()
        for step in table.steps.indices { byObject[table.steps[step].object, default: []].append(step) }
        let mostChanged = byObject.values.sorted { ($0.count, $1[0]) > ($1.count, $0[0]) }
        candidates = Array(mostChanged.prefix(Self.mostObjects))
        root = group(whole, Array(table.walks.indices))
    }

    /// The parts, sorted by the number of random executions in them, greatest first.
    ///
    /// - Parameter most: the maximum number of parts. The result has fewer if no further pair of steps divides the
    ///   executions well.
    package func parts(atMost most: Int) -> [SearchPart] {
        var groups = root.map { [$0] } ?? []
        // After a stop only the first division is made, unless the random executions were stopped already: see `isCut`.
        while groups.count < most && (groups.count == 1 || isCut || !isStopped()) {
            let divisible = groups.indices.filter { groups[$0].division != nil }
            guard let largest = divisible.max(by: { groups[$0].walks.count < groups[$1].walks.count }) else { break }
            groups.replaceSubrange(largest...largest, with: halves(of: groups[largest]))
        }
        return groups.sorted { $0.walks.count > $1.walks.count }.map(\.part)
    }

    private func group(_ part: SearchPart, _ walks: [Int]) -> Group {
        Group(part: part, walks: walks, division: walks.count < Self.fewestWalks ? nil : bestPair(in: walks))
    }

    private func halves(of group: Group) -> [Group] {
        guard let (first, second) = group.division else { return [group] }
        let (one, other) = (table.steps[first], table.steps[second])
        let order = SearchPart.Order(one, before: other, needsEarlier: false)
        let isInOrder = { (walk: Int) in self.place(first, walk) < self.place(second, walk) }
        return [
            self.group(
                SearchPart(group.part.orders + [order]), group.walks.filter(isInOrder)),
            self.group(
                SearchPart(group.part.orders + [order.opposite]), group.walks.filter { !isInOrder($0) }),
        ]
    }

    /// The position of the step in the random execution. −1: it was not taken.
    private func place(_ step: Int, _ walk: Int) -> Int32 {
        let places = table.walks[walk]
        return step < places.count ? places[step] : -1
    }

    /// The pair of steps, both taken in all these executions, whose order divides them most evenly.
    private func bestPair(in walks: [Int]) -> (first: Int, second: Int)? {
        var best: (first: Int, second: Int)?
        // Each side must have more than an eighth of the executions.
        var mostBalanced = walks.count / 8
        for steps in candidates {
            let places = steps.map { step in walks.map { place(step, $0) } }
            let taken = steps.indices.filter { !places[$0].contains(-1) }
            for (index, first) in taken.enumerated() {
                for second in taken[(index + 1)...]
                where table.steps[steps[first]].thread != table.steps[steps[second]].thread {
                    var inOrder = 0
                    for walk in walks.indices where places[first][walk] < places[second][walk] { inOrder += 1 }
                    let smaller = min(inOrder, walks.count - inOrder)
                    if smaller > mostBalanced { (best, mostBalanced) = ((steps[first], steps[second]), smaller) }
                }
            }
        }
        return best
    }
}
