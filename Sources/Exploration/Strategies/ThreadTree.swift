import Machine

/// The threads of a program by the thread that starts them, over several executions.
///
/// A thread's number depends on the schedule. Which thread started it, and how many that one had started before, does so less: a
/// node of this tree stands for "the second thread that the first thread of main starts", in whichever execution.
struct ThreadTree {
    private struct Node {
        var parent: Int
        /// In the order in which it starts them.
        var children: [Int] = []
    }

    /// The main thread first, and no thread before its parent.
    private var nodes = [Node(parent: 0)]

    static let main = 0

    var count: Int { nodes.count }

    func child(_ number: Int, of node: Int) -> Int? {
        number < nodes[node].children.count ? nodes[node].children[number] : nil
    }

    mutating func addChild(of node: Int) -> Int {
        nodes[node].children.append(nodes.count)
        nodes.append(Node(parent: node))
        return nodes.count - 1
    }

    /// Each node's value plus those of its children, theirs, and so on.
    func sumsOfFamilies(_ values: [Int]) -> [Int] {
        var sums = values
        for node in nodes.indices.reversed() where node != Self.main { sums[nodes[node].parent] += sums[node] }
        return sums
    }
}
