import Authoring
import Testing

@Suite struct ParameterTests {
    @Test(
        arguments: [
            (
                "producer-consumer", "producers", ["1", "16"],
                ["0", "17", "-1", "", "two", "1.5", "99999999999999999999"]
            ),
            ("producer-consumer", "capacity", ["1", "64"], ["0", "65"]),
            ("producer-consumer", "items", ["1", "100"], ["0", "101"]),
            ("cancellation", "chunk", ["0", "10s", "1.5ms"], ["10.1s", "-1ms", "5", "ms", "5 ms", "1d", "1e3ms", ""]),
            ("cancellation", "request-after", ["0", "1m", "60s"], ["61s"]),
            ("shutdown", "records", ["1", "1000"], ["0", "1001"]),
            ("deadlock", "variant", ["self", "try-lock"], ["Self", "trylock", ""]),
        ])
    func `a parameter takes the bounds of its range and nothing beyond`(
        scenario: String, name: String, accepted: [String], refused: [String]
    ) throws {
        let made = try Setting(scenario).make()
        for argument in accepted { #expect(made.set(name, to: argument), "\(argument)") }
        let before = made.arguments.map(\.value)
        for argument in refused { #expect(!made.set(name, to: argument), "\(argument)") }
        #expect(made.arguments.map(\.value) == before)
    }

    @Test func `a name that no parameter has is refused`() throws {
        #expect(try !Setting("shutdown").make().set("record", to: "1"))
    }

    @Test func `setting one scenario leaves another of its kind alone`() throws {
        let first = try Setting("shutdown --records 9").make()
        let second = try Setting("shutdown").make()
        #expect(first.arguments[1].value == "9" && second.arguments[1].value == "5")
    }

    @Test(
        arguments: [
            ("0", "0s"), ("0ms", "0s"), ("10ms", "10ms"), ("1000ms", "1s"), ("1.5s", "1500ms"), ("0.5us", "500ns"),
            ("3µs", "3us"),
            ("120s", "2m"), ("90s", "90s"), ("1h", "1h"), ("4.35us", "4350ns"), ("1.005ms", "1005us"),
            ("0.29s", "290ms"),
        ])
    func `a duration is printed in the largest unit that gives a whole number`(typed: String, printed: String) throws {
        let duration = try #require(Duration(argument: typed))
        #expect(duration.argument == printed)
        #expect(Duration(argument: duration.argument) == duration)
    }

    @Test func `every duration reads back as it was printed`() {
        var nanoseconds: Int64 = 1
        while nanoseconds < 1_000_000_000_000_000 {
            for duration in [Duration.nanoseconds(nanoseconds), .nanoseconds(nanoseconds * 9 - 1)] {
                #expect(Duration(argument: duration.argument) == duration)
            }
            nanoseconds = nanoseconds * 7 + 3
        }
    }

    @Test(
        arguments: [
            "", "ms", ".5ms", "1", "1 ms", "1.2.3ms", "-5ms", "inf", "nans", "1e9s", "999999999999999999s", "٣ms",
        ])
    func `what is no duration is refused`(text: String) {
        #expect(Duration(argument: text) == nil)
    }
}
