extension MachineState {
    /// Whether a counted object still has references.
    var hasReferencedObject: Bool { (1..<objectCount).contains { isReferenced(UInt32($0)) } }

    /// Whether it is a counted object that still has references.
    package func isReferenced(_ number: UInt32) -> Bool {
        let object = object(number)
        return object.kind == .counted && object.value > 0
    }
}
