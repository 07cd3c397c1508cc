extension String {
    /// Quoted so that a shell reads it as one word: between quotation marks if it holds anything but letters, digits
    /// and `-_./+,:@`.
    package var quotedForShell: String {
        let isPlain =
            !isEmpty
            && utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "-_./+,:@".utf8.contains(byte)
                }
            }
        return isPlain ? self : "'" + replacing("'", with: "'\\''") + "'"
    }
}
