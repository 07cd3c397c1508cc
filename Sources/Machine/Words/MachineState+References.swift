extension MachineState {
    /// Whether a counted object still has references.
    var hasReferencedObject: Bool { (1..<objectCount).contains { isReferenced(UInt32($0)) } }

    /// Whether the object with this number is a counted one that still has references.
    package func isReferenced(_ number: UInt32) -> Bool {
        let object = object(number)
        return object.kind == .counted && object.value > 0
    }
}
