import Testing

@testable import Machine

/// The order of sequentially consistent events in graphs with many fences, and with threads that are started and joined.
@Suite struct SeqCstOrderTests {
    @Test func `whether sequentially consistent events have an order is what the paper's definition says`() {
        var (consistent, cyclic, large) = (0, 0, 0)
        for seed in 1...300 {
            var random = RandomGraph(seed: UInt64(seed))
            for _ in 0..<26 {
                random.grow { graph, name in
                    let answer = graph.isConsistent(after: name)
                    let expected = SeqCstReference(graph).isConsistent
                    #expect(answer == expected, "seed \(seed), after event \(name.index) of thread \(name.thread)")
                    if expected { consistent += 1 } else { cyclic += 1 }
                    return expected
                }
            }
            let fences = (0..<random.graph.threadCount).reduce(0) { $0 + random.graph.seqCstFences(of: $1) }
            if fences >= 4 { large += 1 }
        }
        // The comparison says something only if both answers are frequent.
        #expect(consistent > 4_000 && cyclic > 50 && large > 200, "\(consistent) \(cyclic) \(large)")
    }
}

extension ExecutionGraph {
    fileprivate func seqCstFences(of thread: Int) -> Int {
        (0..<counts[thread]).count {
            event(thread, $0 + 1).pointee.kind == .fence && event(thread, $0 + 1).pointee.order == .seqcst
        }
    }
}
