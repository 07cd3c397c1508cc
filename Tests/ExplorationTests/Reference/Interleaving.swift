import LabExecution
import Machine
import Support

/// One complete path through a program, as a list of steps, with its cost.
struct Interleaving {
    struct Step: Hashable {
        var thread: Int
        var way: Int
    }

    var steps: [Step] = []
    var preemptions = 0
    var delays = 0

    /// All paths through a program, by brute force: nothing is left out, and nothing is clever.
    static func all(_ engine: Engine) -> [Interleaving] {
        engine.begin()
        var all: [Interleaving] = []
        extend(Interleaving(), engine, &all)
        return all
    }

    private static func extend(_ prefix: Interleaving, _ engine: Engine, _ all: inout [Interleaving]) {
        var enabled = engine.enabledSteps
        while enabled.isEmpty && engine.verdict == nil && engine.letTimePass() { enabled = engine.enabledSteps }
        if enabled.isEmpty {
            all.append(prefix)
            return
        }
        let here = prefix.steps.count
        engine.keepState(here)
        let last = prefix.steps.last?.thread ?? 0
        let canGoOn = enabled.contains { $0.thread == last }
        let inOrder = enabled.filter { $0.thread >= last } + enabled.filter { $0.thread < last }
        for (rank, (thread, ways)) in inOrder.enumerated() {
            for way in 0..<ways {
                var longer = prefix
                longer.steps.append(Step(thread: thread, way: way))
                longer.preemptions += canGoOn && thread != last ? 1 : 0
                longer.delays += rank
                engine.goBack(toState: here)
                engine.step(thread, way: way)
                extend(longer, engine, &all)
            }
        }
    }
}
