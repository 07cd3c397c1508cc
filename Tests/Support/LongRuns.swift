import Trace

extension [UInt8] {
    /// Inserts a long run of one byte at a random place: what walks over text meets more of it than any excerpt shows.
    package mutating func insertRun(_ generator: inout SplitMix64) {
        let byte: UInt8 =
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: .random(in: 0x80...0xBF, using: &generator)
            case 1: .random(in: 0xC0...0xFF, using: &generator)
            default: Array(" \n\t\r()[]{}\"'\\`0159.-/*#:,<".utf8).randomElement(using: &generator)!
            }
        let count = [3, 4, 64, 399, 400, 401, 402, 4096].randomElement(using: &generator)!
        insert(
            contentsOf: repeatElement(byte, count: count), at: Int.random(in: 0...self.count, using: &generator))
    }
}
