/// The places of characters in bytes that should be UTF-8 and may be anything: all code that goes from one to the next by itself asks here.
/// No answer lies outside of the bounds, and none takes more than three steps, whatever the bytes are.
extension UInt8 {
    /// Whether it continues a character of UTF-8, which another byte before it begins.
    package var continuesCharacter: Bool { self & 0xC0 == 0x80 }

    /// The length of the character of UTF-8 that it begins. A byte that begins none counts for itself.
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
    /// The first byte of the character that a byte is part of. Bytes that are part of none are characters of their own.
    ///
    /// - Parameter bounds: where the answer lies; a place outside of them is moved to their nearer end.
    package func startOfCharacter(at place: Int, in bounds: Range<Int>) -> Int {
        let bounds = bounds.clamped(to: startIndex..<endIndex)
        guard bounds.contains(place) else { return Swift.min(Swift.max(place, bounds.lowerBound), bounds.upperBound) }
        let earliest = Swift.max(bounds.lowerBound, place - 3)
        let start = (earliest...place).last { !self[$0].continuesCharacter } ?? place
        return place - start < self[start].lengthOfCharacter ? start : place
    }

    /// The place after the character that begins at a byte, or after the byte if it begins none.
    ///
    /// - Parameter bounds: where the answer lies; a place outside of them is moved to their nearer end.
    package func endOfCharacter(at place: Int, in bounds: Range<Int>) -> Int {
        let bounds = bounds.clamped(to: startIndex..<endIndex)
        guard bounds.contains(place) else { return Swift.min(Swift.max(place, bounds.lowerBound), bounds.upperBound) }
        let end = Swift.min(place + self[place].lengthOfCharacter, bounds.upperBound)
        return (place + 1..<end).first { !self[$0].continuesCharacter } ?? end
    }
}
