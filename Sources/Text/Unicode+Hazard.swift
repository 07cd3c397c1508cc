extension Unicode.Scalar {
    /// Whether it affects a terminal or the order of the text: controls, line separators, and marks that change the
    /// direction of writing.
    package var isHazardous: Bool {
        switch value {
        case 0...0x1F, 0x7F...0x9F, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }
}
