/// One instruction of the bytecode.
struct Instruction {
    var opcode: Opcode
    /// The line of the file that it comes from.
    var line: UInt16
    var a: Int32
    var b: Int32

    init(_ opcode: Opcode, _ a: Int = 0, _ b: Int = 0, line: Int) {
        self.opcode = opcode
        self.line = UInt16(clamping: line)
        self.a = Int32(a)
        self.b = Int32(b)
    }
}
