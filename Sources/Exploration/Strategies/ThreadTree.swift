import Machine

/// The threads of a program by the thread that starts them, over several executions.
///
/// A thread's number depends on the schedule. Which thread started it, and how many that thread had started before,
/// depends on it less: a node of this tree represents "the second thread that the first thread of main starts" in every
/// execution.
struct ThreadTree {
    private struct Node {
        var parent: Int
        /// In the order in which it starts them.
        var children: [Int] = []
    }

    /// The main thread first, and every thread after its parent.
    private var nodes = [Node(parent: 0)]

    static let main = 0

    /// The thread that started the next one.
    ///
    /// - Parameters:
    ///   - last: the thread that stepped last.
    ///   - known: the number of threads that are known. After a prefix that was chosen elsewhere, there are several threads at the
    ///     first decision, and it is unknown which started which: the main thread stands for all.
    static func starter(_ last: UInt16, known: Int) -> Int { Int(last) < known ? Int(last) : main }

    var count: Int { nodes.count }

    func child(_ number: Int, of node: Int) -> Int? {
        number < nodes[node].children.count ? nodes[node].children[number] : nil
    }

    mutating func addChild(of node: Int) -> Int {
        nodes[node].children.append(nodes.count)
        nodes.append(Node(parent: node))
        return nodes.count - 1
    }

    /// Each node's value plus those of all its descendants.
    func sumsOfFamilies(_ values: [Int]) -> [Int] {
        var sums = values
        for node in nodes.indices.reversed() where node != Self.main { sums[nodes[node].parent] += sums[node] }
        return sums
    }
}
