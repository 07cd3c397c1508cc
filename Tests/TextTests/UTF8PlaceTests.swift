import Testing
import Text

@Suite struct UTF8PlaceTests {
    @Test func `in UTF-8 each byte leads to its character's ends`() {
        let text = "aü日𝄞z"
        let bytes = Array(text.utf8)
        var start = 0
        for scalar in text.unicodeScalars {
            let end = start + UTF8.width(scalar)
            for place in start..<end { #expect(bytes.startOfCharacter(at: place, in: 0..<bytes.count) == start) }
            #expect(bytes.endOfCharacter(at: start, in: 0..<bytes.count) == end)
            start = end
        }
    }

    /// All texts of up to five bytes of each class, all bounds, all places.
    @Test func `whatever the bytes are, the answer lies in the bounds and at most three bytes away`() {
        let classes: [UInt8] = [0x41, 0x9C, 0xC3, 0xE6, 0xF0, 0xFF]
        var texts: [[UInt8]] = [[]]
        for _ in 0..<4 {
            texts += texts.filter { $0.count == texts.last?.count }.flatMap { text in classes.map { text + [$0] } }
        }
        for bytes in texts {
            for low in 0...bytes.count {
                for high in low...bytes.count {
                    for place in -2...bytes.count + 2 {
                        let start = bytes.startOfCharacter(at: place, in: low..<high)
                        let end = bytes.endOfCharacter(at: place, in: low..<high)
                        let inside = min(max(place, low), high)
                        guard (low...high).contains(start), (low...high).contains(end), start <= inside,
                            inside - start <= 3,
                            end >= inside, end - inside <= 4, !(low..<high).contains(place) || end > place
                        else {
                            Issue.record("\(bytes) \(low)..<\(high) at \(place): \(start), \(end)")
                            return
                        }
                    }
                }
            }
        }
    }

    @Test func `a long run of bytes that continue nothing is walked in three steps`() {
        let bytes = [UInt8](repeating: 0x9C, count: 1 << 16)
        #expect(bytes.startOfCharacter(at: 40_000, in: 0..<bytes.count) == 40_000)
        #expect(bytes.endOfCharacter(at: 40_000, in: 0..<bytes.count) == 40_001)
    }

    @Test func `what is calculated with numbers of files ends at the greatest`() {
        #expect(UInt64.max.added(saturating: 1) == .max)
        #expect(Int.max.multiplied(saturating: 10) == .max && Int.min.multiplied(saturating: 10) == .min)
        #expect(Int.min.added(saturating: -1) == .min && 3.added(saturating: 4) == 7)
    }
}
