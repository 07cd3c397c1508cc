import Machine
import Trace

/// The choice points that random executions of one program have reached, and where each choice led: as a graph, so that
/// an execution whose choices all led somewhere before is followed without being run.
///
/// Two moments are one choice point if their keys are equal: then everything that can follow is equal too.
struct WalkGraph: ~Copyable {
    /// A choice, or the beginning of an execution. The first of a choice point's edges is preceded by one that is none:
    /// its `target` is the number of the choices.
    struct Edge {
        /// The position of a choice point, or −1 minus the number of an ending. Zero: it has not been taken.
        var target: Int32
        /// The number of steps up to there.
        var steps: Int32
    }

    private var edges = OwnedBuffer<Edge>(repeating: Edge(target: 0, steps: 0), count: 1 << 10)
    /// The beginning is at position 0.
    private var edgeCount = 1
    /// By the number of the choice point: its key, and its position.
    private var keys: [UInt64] = []
    private var positions: [Int32] = []
    private var index = NumberIndex()

    /// With this many, a walk's next edge is rarely in a processor's cache, and remembering costs as much as running.
    private static let mostEdges = 1 << 20

    /// Whether nothing more can be added.
    private(set) var isFull = false

    /// Where an execution ends, if its choices lead only over edges that have been taken.
    ///
    /// - Parameter longest: the maximum number of steps.
    @inline(always)
    borrowing func follow(_ generator: consuming SplitMix64, longest: Int) -> (ending: Int, steps: Int)? {
        let edges = edges.base
        var edge = edges[0]
        var steps = 0
        while edge.target > 0 {
            steps &+= Int(edge.steps)
            let place = edges + Int(edge.target)
            edge = place[1 &+ generator.next(below: Int(place.pointee.target))]
        }
        steps &+= Int(edge.steps)
        return edge.target < 0 && steps <= longest ? (Int(-1 - edge.target), steps) : nil
    }

    /// The choice point to which the edge leads. Zero: the edge has not been taken.
    func target(of edge: Int) -> Int { max(0, Int(edges[edge].target)) }

    /// The edge leads to the choice point with this key.
    ///
    /// - Returns: the choice point's position, or zero if there is no room.
    mutating func connect(_ edge: Int, steps: Int, toKey key: UInt64, choices: Int) -> Int {
        let new = keys.count
        if isFull || edgeCount + choices + 1 > Self.mostEdges {
            isFull = true
            return 0
        }
        let known = keys
        let number = index.number(key, orAdd: new) { known[$0] == key }
        if number == new {
            keys.append(key)
            positions.append(Int32(edgeCount))
            addEdges(choices)
        }
        let position = positions[number]
        // Otherwise two keys are equal by chance.
        guard Int(edges[Int(position)].target) == choices else { return 0 }
        edges[edge] = Edge(target: position, steps: Int32(steps))
        return Int(position)
    }

    private mutating func addEdges(_ choices: Int) {
        edges.reserve(edgeCount + choices + 1, keeping: edgeCount)
        edges[edgeCount] = Edge(target: Int32(choices), steps: 0)
        (edges.base + edgeCount + 1).update(repeating: Edge(target: 0, steps: 0), count: choices)
        edgeCount += choices + 1
    }

    /// The edge leads to the ending.
    func connect(_ edge: Int, steps: Int, toEnding ending: Int) {
        edges[edge] = Edge(target: Int32(-1 - ending), steps: Int32(steps))
    }
}
