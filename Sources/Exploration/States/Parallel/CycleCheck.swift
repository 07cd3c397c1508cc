import Machine
import Synchronization

/// Whether some sequence of moves comes back to where it began: removes states without predecessors until none is left
/// (Kahn 1962).
struct CycleCheck: ~Copyable {
    private let graph: StateGraph.View
    private let stateCount: Int
    private let team: WorkerTeam?
    /// By state: the number of moves that lead to it from states that are left.
    private let degrees: OwnedBuffer<UInt32>
    /// The states that are removed, in this order: mostly that in which they were found, so that memory is read in order.
    private let removed: OwnedBuffer<UInt32>
    private var removedCount = 0

    private static let piece = 1 << 12
    private static let smallPiece = 1 << 8

    init(_ graph: borrowing StateGraph, states: Int, _ team: WorkerTeam?) {
        self.graph = graph.view
        stateCount = states
        self.team = team
        degrees = OwnedBuffer(capacity: states)
        removed = OwnedBuffer(capacity: states)
    }

    consuming func hasCycle() -> Bool {
        countPredecessors()
        let (degrees, removed) = (self.degrees.base, self.removed.base)
        for state in 0..<stateCount where degrees[state] == 0 {
            removed[removedCount] = UInt32(truncatingIfNeeded: state)
            removedCount += 1
        }
        var next = 0
        while next < removedCount {
            let range = next..<removedCount
            next = removedCount
            remove(range)
        }
        return removedCount < stateCount
    }

    private func countPredecessors() {
        let (graph, degrees) = (self.graph, self.degrees.base)
        guard let team else {
            degrees.initialize(repeating: 0, count: stateCount)
            for state in 0..<stateCount {
                for edge in graph.edges(of: state) where edge.isMove { degrees[Int(edge.target)] &+= 1 }
            }
            return
        }
        team.forEachPiece(of: stateCount, size: Self.piece) {
            (degrees + $1.lowerBound).initialize(repeating: 0, count: $1.count)
        }
        team.forEachPiece(of: stateCount, size: Self.piece) { _, piece in
            for state in piece {
                for edge in graph.edges(of: state) where edge.isMove {
                    Self.shared(degrees, edge.target).pointee.add(1, ordering: .relaxed)
                }
            }
        }
    }

    @inline(__always)
    private static func shared(
        _ degrees: UnsafeMutablePointer<UInt32>, _ state: UInt32
    ) -> UnsafeMutablePointer<Atomic<UInt32>> {
        UnsafeMutableRawPointer(degrees + Int(state)).assumingMemoryBound(to: Atomic<UInt32>.self)
    }

    /// Removes these states, and finds those that then have no predecessors.
    private mutating func remove(_ range: Range<Int>) {
        let (graph, degrees, removed) = (self.graph, self.degrees.base, self.removed.base)
        guard let team, range.count > 8 * Self.smallPiece else {
            for place in range {
                for edge in graph.edges(of: Int(removed[place])) where edge.isMove {
                    degrees[Int(edge.target)] &-= 1
                    if degrees[Int(edge.target)] == 0 {
                        removed[removedCount] = edge.target
                        removedCount += 1
                    }
                }
            }
            return
        }
        let count = Atomic<Int>(removedCount)
        team.forEachPiece(of: range.count, size: Self.smallPiece) { _, piece in
            withUnsafeTemporaryAllocation(of: UInt32.self, capacity: Self.smallPiece) { found in
                var foundCount = 0
                func add() {
                    let place = count.add(foundCount, ordering: .relaxed).oldValue
                    (removed + place).update(from: found.baseAddress!, count: foundCount)
                    foundCount = 0
                }
                for place in piece {
                    for edge in graph.edges(of: Int(removed[range.lowerBound + place])) where edge.isMove {
                        let left = Self.shared(degrees, edge.target).pointee.subtract(1, ordering: .relaxed).newValue
                        if left != 0 { continue }
                        found[foundCount] = edge.target
                        foundCount += 1
                        if foundCount == Self.smallPiece { add() }
                    }
                }
                if foundCount > 0 { add() }
            }
        }
        removedCount = count.load(ordering: .relaxed)
    }
}
