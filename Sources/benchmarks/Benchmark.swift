import CBench

/// One of several ways of doing the same thing, which a benchmark compares: for example, locking and unlocking with
/// NSLock.
struct Contender {
    let name: String
    /// Does the work this many times, and returns the time of all together, in nanoseconds.
    let time: (_ count: Int) throws -> UInt64
}

/// Times several ways of doing the same thing, in turn in each round, so that other load on the machine affects all
/// equally. Prints for each the median time of one repetition, and the median ratio to the first.
struct Benchmark {
    let title: String
    /// The number of repetitions of each contender in one round.
    let count: Int
    var rounds = 15
    /// The others are compared with the first.
    let contenders: [Contender]

    func run() throws {
        var times = [[Double]](repeating: [], count: contenders.count)
        for round in 0..<rounds + 1 {
            for (index, contender) in contenders.enumerated() {
                let time = Double(try contender.time(count)) / Double(count)
                // The first round warms up.
                if round > 0 { times[index].append(time) }
            }
        }
        print("\n\(title)")
        for (index, contender) in contenders.enumerated() {
            let ratios = zip(times[index], times[0]).map { $0 / $1 }
            let name = contender.name.padded(to: 36)
            let median = decimal(times[index].median).padded(to: 10, right: true)
            print("  \(name)\(median) ns" + (index == 0 ? "" : "   \(decimal(ratios.median, 2)) x"))
        }
    }
}

extension [Double] {
    var median: Double {
        let sorted = sorted()
        return sorted.count % 2 == 1 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2
    }
}

extension String {
    func padded(to width: Int, right: Bool = false) -> String {
        let blanks = String(repeating: " ", count: max(0, width - count))
        return right ? blanks + self : self + blanks
    }
}

/// The value, rounded to this number of decimal places.
func decimal(_ value: Double, _ digits: Int = 1) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let rounded = Int((value * scale).rounded())
    if digits == 0 { return "\(rounded)" }
    let fraction = String(rounded % Int(scale))
    return "\(rounded / Int(scale)).\(String(repeating: "0", count: digits - fraction.count))\(fraction)"
}
