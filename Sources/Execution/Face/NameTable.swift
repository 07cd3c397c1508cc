/// Gives every thread and object of a run a name of its own, so that traces can tell them apart by name alone.
package struct NameTable {
    private var uses: [String: Int] = [:]

    package init() {}

    /// The wanted name if it is still free, else with a number behind it: `worker`, `worker 2`, `worker 3`.
    ///
    /// - Parameter fallback: the kind's word, for what has no name: `mutex 1`, `mutex 2`.
    package mutating func unique(_ name: String?, fallback: String) -> String {
        guard let name, !name.isEmpty else { return numbered(fallback, from: 1) }
        guard uses[name] != nil else {
            uses[name] = 1
            return name
        }
        return numbered(name, from: 2)
    }

    private mutating func numbered(_ stem: String, from first: Int) -> String {
        let counter = "\(stem) #"
        var number = uses[counter] ?? first
        while uses["\(stem) \(number)"] != nil { number += 1 }
        uses[counter] = number + 1
        uses["\(stem) \(number)"] = 1
        return "\(stem) \(number)"
    }
}
