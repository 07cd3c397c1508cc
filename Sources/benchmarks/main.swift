import Execution
import Exploration
import Glibc
import Machine
import Scenarios
import Trace

func seconds() -> Double {
    var t = timespec()
    clock_gettime(CLOCK_MONOTONIC, &t)
    return Double(t.tv_sec) + Double(t.tv_nsec) / 1e9
}

func residentKilobytes() -> Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss
}

let scenario = Catalogue.builtIn.first { $0.name == "deadlock" }!.init()
_ = scenario.set("pause", to: "0")
let runtime = ControlledRuntime(chooser: RandomWalk(seed: 1))
for round in 0..<3 {
    var steps = 0
    var verdicts: [Verdict: Int] = [:]
    let count = 1_000_000
    let begin = seconds()
    for _ in 0..<count {
        verdicts[runtime.run({ try scenario.run() }), default: 0] += 1
        steps += runtime.stepCount
    }
    let time = seconds() - begin
    print(round, Double(count) / time, "executions/s", Double(steps) / time, "steps/s", verdicts, steps, residentKilobytes())
}
