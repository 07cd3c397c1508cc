/// Finds the boundaries of characters in bytes that should be UTF-8 but may be anything. Whatever the bytes are, no
/// result is outside the bounds, and at most four bytes are examined. A *place* is the index of a byte.
extension UInt8 {
    /// Whether the byte is a continuation byte: any byte of a UTF-8 character but the first.
    package var continuesCharacter: Bool { self & 0xC0 == 0x80 }

    /// The length of the UTF-8 character that begins with this byte; 1 if none does.
    package var lengthOfCharacter: Int {
        switch self {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
    }
}

extension RandomAccessCollection<UInt8> where Index == Int {
    /// Returns the place of the first byte of the character that contains the byte at a place; the place itself if the
    /// byte belongs to no character.
    ///
    /// - Parameter bounds: limits the answer; a place outside of them is moved to their nearer end.
    package func startOfCharacter(at place: Int, in bounds: Range<Int>) -> Int {
        let bounds = bounds.clamped(to: startIndex..<endIndex)
        guard bounds.contains(place) else { return Swift.min(Swift.max(place, bounds.lowerBound), bounds.upperBound) }
        let earliest = Swift.max(bounds.lowerBound, place - 3)
        let start = (earliest...place).last { !self[$0].continuesCharacter } ?? place
        return place - start < self[start].lengthOfCharacter ? start : place
    }

    /// Returns the place after the character that begins at a place, or after the single byte if no character begins
    /// there.
    ///
    /// - Parameter bounds: limits the answer; a place outside of them is moved to their nearer end.
    package func endOfCharacter(at place: Int, in bounds: Range<Int>) -> Int {
        let bounds = bounds.clamped(to: startIndex..<endIndex)
        guard bounds.contains(place) else { return Swift.min(Swift.max(place, bounds.lowerBound), bounds.upperBound) }
        let end = Swift.min(place + self[place].lengthOfCharacter, bounds.upperBound)
        return (place + 1..<end).first { !self[$0].continuesCharacter } ?? end
    }
}
