/// Gives each thread or object of a run a unique name, so that a trace can refer to it by name alone.
///
/// The first `a` is called `a`, the next ones `a 2`, `a 3`. Objects without a name are counted by kind: `mutex 1`,
/// `mutex 2`.
package struct NameTable: Sendable {
    private var taken: Set<String> = []
    /// For each name, the last number that was tried for it. A fallback is counted under its name and a blank, apart
    /// from an explicit name that is the same.
    private var counts: [String: Int] = [:]

    package init() {}

    /// - Parameters:
    ///   - name: the name that its maker gave it; nil if none.
    ///   - fallback: the kind of thing, for one without a name: `mutex`.
    package mutating func unique(_ name: String?, fallback: String) -> String {
        let stem = name ?? fallback
        let counter = name ?? (fallback + " ")
        var count = Self.increment(&counts[counter, default: 0])
        if let name, count == 1, taken.insert(name).inserted { return name }
        while true {
            let candidate = stem + " " + String(count)
            if taken.insert(candidate).inserted { return candidate }
            count = Self.increment(&counts[counter, default: 0])
        }
    }

    private static func increment(_ count: inout Int) -> Int {
        count += 1
        return count
    }

    /// Forgets every name, and keeps the memory.
    package mutating func removeAll() {
        taken.removeAll(keepingCapacity: true)
        counts.removeAll(keepingCapacity: true)
    }
}
