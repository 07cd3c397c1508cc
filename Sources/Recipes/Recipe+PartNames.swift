extension Recipe {
    /// What traces call the parts of an object. The one on which a thread waits for what the object is there for has the object's own
    /// name: its first condition, or the lock of an object without conditions.
    package func partNames(_ name: String) -> (lock: String, conditions: [String]) {
        let conditions = (0..<conditionCount).map { $0 == 0 ? name : "\(name)'s condition \($0 + 1)" }
        return (conditions.isEmpty ? name : "\(name)'s lock", conditions)
    }
}
