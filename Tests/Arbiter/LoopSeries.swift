/// Programs whose waits are in loops, and the same with an `if` in place of a loop, under rules by which a wait may end by itself.
package struct LoopSeries: Sendable {
    /// Of the programs with loops: those that are right, and those that are too large to judge.
    package private(set) var right = 0
    package private(set) var tooLarge = 0
    /// Programs with an `if`, and those of them that are wrong.
    package private(set) var mutants = 0
    package private(set) var caught = 0
    /// Where an engine and the arbiter do not agree, or a program with loops is wrong.
    package private(set) var complaints: [String] = []

    /// Runs the programs with these seeds, on several threads.
    package static func run(_ seeds: Range<UInt64>, threads: Int) async -> LoopSeries {
        await withTaskGroup(of: LoopSeries.self) { group in
            for number in 0..<UInt64(threads) {
                group.addTask {
                    var series = LoopSeries()
                    for seed in stride(from: seeds.lowerBound + number, to: seeds.upperBound, by: threads) {
                        series.add(seed)
                    }
                    return series
                }
            }
            return await group.reduce(into: LoopSeries()) { $0.add($1) }
        }
    }

    private mutating func add(_ seed: UInt64) {
        var rules = Rulebook()
        rules.spurious = 1
        rules.isFirstWoken = seed % 4 == 0
        rules.isLateAnytime = seed % 3 == 0
        let tree = WaitLoops.program(seed: seed)
        for (number, program) in ([tree] + WaitLoops.withoutOneLoop(tree)).enumerated() {
            let heading = "seed \(seed), \(rules)"
            switch Trial(seed: seed, program, rules).run() {
            case .agreement(_, let judgment): note(judgment.meetsExpectations, isMutant: number > 0, heading, program)
            case .disagreement(let list): complaints.append("\(heading): \(list[0])\n\(program.text)")
            case .tooLarge: if number == 0 { tooLarge += 1 }
            case .refused(let reason): complaints.append("\(heading): \(reason)\n\(program.text)")
            }
        }
    }

    private mutating func note(_ isRight: Bool, isMutant: Bool, _ heading: String, _ tree: Tree) {
        if isMutant {
            mutants += 1
            if !isRight { caught += 1 }
        } else if isRight {
            right += 1
        } else {
            complaints.append("\(heading): a program with loops is wrong\n\(tree.text)")
        }
    }

    private mutating func add(_ other: LoopSeries) {
        right += other.right
        tooLarge += other.tooLarge
        mutants += other.mutants
        caught += other.caught
        complaints += other.complaints
    }
}
