import CSupport
import Testing

/// Both forms of the switch between stacks, whichever of them builds for this processor use.
@Suite struct SwitchTests {
    /// The same computation without any switch.
    private func expected(_ rounds: Int) -> Int {
        func mix(_ value: Int, _ turn: Int) -> Int { (value * 31 + turn) % 1_000_003 }
        var (sum, fiber, host) = (0, [1, 2, 3], [7, 8, 9])
        var (x, y) = (0.5, 0.25)
        for turn in 1..<rounds + 1 {
            for index in 0..<3 {
                fiber[index] = mix(fiber[index], index == 0 ? turn : fiber[index - 1])
                host[index] = mix(host[index], index == 0 ? turn : host[index - 1])
            }
            (x, y) = (x * 0.5 + Double(turn), y * 0.25 + Double(turn))
            sum += fiber[2] + Int(x) + host[2] + Int(y)
        }
        return sum
    }

    @Test(arguments: [1, 2, 10_000]) func `each side finds again what it had`(rounds: Int) {
        #expect(csupport_switch_own(Int32(rounds)) == expected(rounds))
        #expect(csupport_switch_boost(Int32(rounds)) == expected(rounds))
    }
}
