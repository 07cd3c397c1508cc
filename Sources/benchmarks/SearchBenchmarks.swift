import Exploration
import LabExecution
import LabProgram
import LabSyntax
import Machine

/// Complete partial-order searches: the numbers of traces (different partial orders) and of redundant executions, and
/// the time.
enum SearchBenchmarks {
    static func run() throws {
        print("\ncomplete searches, one core")
        try measure("counter 3×3", counter(3, 3))
        try measure("counter 4×3", counter(4, 3))
        try measure("philosophers 5, in order", philosophers(5))
        try measure("buffer 2/2, 2 items each, capacity 1", buffer)
        try measure("fib_bench 5", fibonacci)
        try measure("casw 5", "atomic x = 0\nthread t[5] { let r = x.compareExchange(0, 1); x.store(index + 3) }")
        try measure("lastzero 10", lastZero)
    }

    private static func counter(_ threads: Int, _ times: Int) -> String {
        "shared x = 0\nmutex m\nthread t[\(threads)] { repeat \(times) { lock m { x += 1 } } }"
    }

    private static func philosophers(_ n: Int) -> String {
        """
        mutex fork[\(n)]
        thread philosopher[\(n)] {
            if index == \(n - 1) { lock fork[0] { lock fork[index] { } } } else { lock fork[index] { lock fork[index + 1] { } } }
        }
        """
    }

    private static let buffer = """
        mutex m
        condition notEmpty, notFull with m
        shared count = 0
        thread producer[2] { repeat 2 { lock m { while count == 1 { notFull.wait() }; count += 1; notEmpty.signal() } } }
        thread consumer[2] { repeat 2 { lock m { while count == 0 { notEmpty.wait() }; count -= 1; notFull.signal() } } }
        """

    private static let fibonacci = """
        shared x = 1, y = 1
        thread t1 { repeat 5 { let a = x; let b = y; x = a + b } }
        thread t2 { repeat 5 { let a = x; let b = y; y = a + b } }
        thread t3 { if x > 144 || y > 144 { note "large" } }
        """

    private static let lastZero = """
        shared cells[11] = 0
        thread reader { var i = 10; while cells[i] != 0 { i -= 1 } }
        thread writer[10] { let seen = cells[index]; cells[index + 1] = seen + 1 }
        """

    private static func measure(_ name: String, _ text: String) throws {
        let bytecode = try SourceText(name: "benchmark.lab", "scenario \"benchmark\"\n" + text).read().program!
            .compiled()
        var rules = Rules()
        rules.waiters = .fifo
        let engine = Engine(bytecode, rules: rules)
        let search = PartialOrderSearch(rules: rules)
        var executions = 0
        let time = processorNanoseconds {
            while search.prepare(executions) {
                _ = search.execute(engine)
                executions += 1
            }
        }
        let seconds = decimal(Double(time) / 1e9, 3)
        print(
            "  \(name.padded(to: 40))\(search.completeCount) traces, \(search.redundantCount) redundant, \(search.newSteps) steps, \(seconds) s, \(decimal(Double(executions) / Double(time) * 1e9, 0)) executions/s"
        )
    }
}
