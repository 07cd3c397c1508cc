extension MachineState {
    /// Whether a counted object still has references.
    var hasReferencedObject: Bool {
        (1..<objectCount).contains { number in
            let object = object(UInt32(number))
            return object.kind == .counted && object.value > 0
        }
    }
}
