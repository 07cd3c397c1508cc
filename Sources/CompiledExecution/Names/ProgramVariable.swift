import DebugInformation

/// The variable of a program that contains a byte of its memory.
struct ProgramVariable {
    let name: String
    /// The variable's address.
    let start: UInt64
    /// The part of the variable that contains the byte, such as a member or an element.
    let part: DwarfTypes.Part
    /// The function of a local variable. Nil: the variable is global, or its function is not known.
    var function: String?
    /// Whether the variable is a reference. Then the byte is in the object to which it refers, which has no name
    /// itself.
    var isReference = false
}
