import DebugInformation

/// The variable of a program that a byte of its memory belongs to.
struct ProgramVariable {
    let name: String
    /// Its address.
    let start: UInt64
    let part: DwarfTypes.Part
    /// Of a local one. Nil: it is global, or that is not known.
    var function: String?
    /// Whether it is a reference, to what has no name itself.
    var isReference = false
}
