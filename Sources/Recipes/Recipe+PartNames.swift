import Text

extension Recipe {
    /// The names of an object's parts in traces. The part on which threads wait for the object's purpose has the
    /// object's own name: its first condition, or the lock of an object without conditions.
    package func partNames(_ name: String) -> (lock: String, conditions: [String]) {
        let conditions = (0..<conditionCount).map { $0 == 0 ? name : "\(name.possessive) condition \($0 + 1)" }
        return (conditions.isEmpty ? name : "\(name.possessive) lock", conditions)
    }
}
