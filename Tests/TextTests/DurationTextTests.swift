import Testing
import Text

@Suite struct DurationTextTests {
    @Test(
        arguments: [
            ("10s", 10_000_000_000), ("250ms", 250_000_000), ("5us", 5_000), ("5µs", 5_000), ("5μs", 5_000), ("7ns", 7),
            ("2m", 120_000_000_000),
            ("1h", 3_600_000_000_000), ("1.5s", 1_500_000_000), ("0.1s", 100_000_000), ("0.25m", 15_000_000_000),
            ("1.50s", 1_500_000_000), ("0s", 0), ("0", 0), ("18446744073709551615ns", UInt64.max), ("1.000ns", 1),
        ] as [(String, UInt64)])
    func `a duration is a number and a unit`(word: String, nanoseconds: UInt64) {
        #expect(DurationText.read(word) == nanoseconds)
        #expect(DurationText.read(DurationText.write(nanoseconds)) == nanoseconds)
    }

    @Test(
        arguments: [
            "", "10", "s", ".5s", "1.s", "1.2.3s", "-1s", "+1s", "1 s", "1S", "1e3s", "1.5ns", "0.0000000001s",
            "18446744073709551616ns", "18446744073.8s", "99999999999999999999h", "٣s",
        ])
    func `anything else is no duration`(word: String) {
        #expect(DurationText.read(word) == nil)
    }

    @Test(
        arguments: [
            (90_000_000_000, "90s"), (1_500_000_000, "1500ms"), (120_000_000_000, "2m"), (0, "0s"), (1001, "1001ns"),
        ]
            as [(UInt64, String)])
    func `a duration is written in the largest unit that needs no fraction`(nanoseconds: UInt64, word: String) {
        #expect(DurationText.write(nanoseconds) == word)
    }
}
