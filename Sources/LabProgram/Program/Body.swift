import LabSyntax

extension Program {
    /// The code of a thread, of a function or of `finally`.
    package struct Body: Sendable {
        package struct Slot: Sendable {
            /// The variable's name. Nil: a slot for a value that the program does not name.
            package var name: String?
            package var type: ValueType
        }

        /// The variables, numbered: each has a separate slot.
        package var slots: [Slot] = []
        package var block = Block()
        /// The maximum number of live slots when it runs: its own, and those of a chain of calls that it makes.
        package var stackedSlots = 0
    }
}
