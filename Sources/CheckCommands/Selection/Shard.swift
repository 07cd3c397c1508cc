import Console
import Text

/// One of the parts into which `--shard K/N` divides a check among machines.
///
/// The part of a scenario depends only on the scenario's name or, with `--balance`, on the durations of an earlier
/// check. So each machine finds its part without asking the others, and a new scenario changes the parts of no others.
struct Shard: Equatable {
    /// The number of the part, from 1.
    let number: Int
    let count: Int

    /// The maximum number of parts.
    static let most = 10_000

    init(number: Int, count: Int) {
        self.number = number
        self.count = count
    }

    /// - Parameter text: `3/10`.
    init(_ text: String, _ spelling: String) throws(Complaint) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let number = parts[0], let count = parts[1], (1...Self.most).contains(count),
            (1...count).contains(number)
        else {
            throw Complaint(
                "\(spelling) \(text.printable): must be a part and a number of parts, at most \(Self.most), such as 3/10"
            )
        }
        self.init(number: number, count: count)
    }

    var description: String { "\(number)/\(count)" }

    /// Whether the name belongs to this part, by the name alone.
    func has(_ name: String) -> Bool { Self.part(of: name, count) == number }

    /// The part of a name, from 1, by a hash that is the same on all machines.
    private static func part(of name: String, _ count: Int) -> Int {
        Int(FNV1a.hash(name.utf8) % UInt64(count)) + 1
    }

    /// The part of each name.
    ///
    /// - Parameter durations: how long each took in an earlier check, in nanoseconds. The longest is assigned first,
    ///   each to the part with the least to do. A name without a duration is assigned by the name alone.
    static func parts(of names: [String], _ count: Int, balancedBy durations: [String: UInt64] = [:]) -> [Int] {
        var parts = names.map { part(of: $0, count) }
        var loads = [UInt64](repeating: 0, count: count)
        let known = names.indices.compactMap { number in durations[names[number]].map { (number, $0) } }
            .sorted { ($1.1, names[$0.0]) < ($0.1, names[$1.0]) }
        for (number, duration) in known {
            let least = loads.indices.min { loads[$0] < loads[$1] } ?? 0
            loads[least] += min(duration, .max - loads[least])
            parts[number] = least + 1
        }
        return parts
    }
}
