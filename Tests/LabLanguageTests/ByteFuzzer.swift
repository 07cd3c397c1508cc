import Support
import Trace

/// Valid programs with changed bytes, and random bytes.
enum ByteFuzzer {
    static func text(_ generator: inout SplitMix64) -> [UInt8] {
        if Int.random(in: 0..<8, using: &generator) == 0 {
            return (0..<Int.random(in: 0..<400, using: &generator)).map { _ in .random(in: 0...255, using: &generator) }
        }
        let programs = RightPrograms.all + WrongPrograms.all
        var bytes = Array(programs.randomElement(using: &generator)!.utf8)
        for _ in 0...Int.random(in: 0..<8, using: &generator) { change(&bytes, &generator) }
        if Int.random(in: 0..<3, using: &generator) == 0 { bytes.insertRun(&generator) }
        return bytes
    }

    private static func change(_ bytes: inout [UInt8], _ generator: inout SplitMix64) {
        guard !bytes.isEmpty else { return }
        let position = Int.random(in: 0..<bytes.count, using: &generator)
        let end = min(bytes.count, position + Int.random(in: 0..<30, using: &generator))
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: bytes[position] = .random(in: 0...255, using: &generator)
        case 1: bytes.insert(.random(in: 32...126, using: &generator), at: position)
        case 2: bytes.removeSubrange(position..<end)
        case 3: bytes.insert(contentsOf: bytes[position..<end], at: Int.random(in: 0...bytes.count, using: &generator))
        case 4: bytes.removeSubrange(position...)
        default: bytes.insert(Array("\n;{}()[]\"\\,.-=/".utf8).randomElement(using: &generator)!, at: position)
        }
    }
}
