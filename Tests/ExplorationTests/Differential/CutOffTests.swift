import Support
import Testing

/// Runs that end in expected ways, many of them while threads could continue: all other findings are found, and all ends.
@Suite struct CutOffTests {
    /// Of this many programs each. More (27,000) were tried once.
    private static let parts: Range<UInt64> = 0..<20
    private static let length: UInt64 = 60

    @Test(arguments: Extent.part(of: parts, every: 2))
    func `partial orders show of random programs that are cut off what all states show`(_ part: UInt64) throws {
        try compare(part) { CutOffProgram(seed: $0).text }
    }

    @Test(arguments: Extent.part(of: parts, every: 2))
    func `partial orders show of random programs with read-write locks what all states show`(_ part: UInt64) throws {
        try compare(part) { SharedHoldProgram(seed: $0).text }
    }

    @Test(arguments: Extent.part(of: parts, every: 2))
    func `partial orders show of random programs of every kind what all states show`(_ part: UInt64) throws {
        try compare(part) { MixedProgram(seed: $0).text }
    }

    private func compare(_ part: UInt64, _ text: (UInt64) -> String) throws {
        var compared = 0
        for seed in part * Self.length..<(part + 1) * Self.length {
            let text = text(seed)
            guard let (traces, states) = try KindsOfEnd.ofTracesAndStates(text) else { continue }
            compared += 1
            #expect(traces == states, "seed \(seed)\n\(text)")
        }
        #expect(compared > Self.length * 9 / 10)
    }
}
