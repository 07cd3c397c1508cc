extension Unicode.Scalar {
    /// The number of terminal columns it takes: 0 for combining marks, 2 for wide East Asian characters and
    /// pictographs, otherwise 1.
    package var columns: Int {
        if isASCII { return 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return isWide ? 2 : 1
        }
    }

    private var isWide: Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
            0x1F900...0x1F9FF, 0x1FA70...0x1FAFF, 0x20000...0x3FFFD:
            true
        default: properties.isEmojiPresentation
        }
    }

    /// Its replacement where only ASCII can be shown.
    package var likeness: Unicode.Scalar? { self == "µ" ? "u" : nil }

    /// The character that shows a control, for example ␛ for the escape.
    package var controlPicture: Unicode.Scalar? {
        switch value {
        case 0...0x1F: Unicode.Scalar(0x2400 + value)
        case 0x7F: "␡"
        default: nil
        }
    }
}
