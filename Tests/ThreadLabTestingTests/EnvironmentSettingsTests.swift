import Testing

@testable import ThreadLabTesting

@Suite struct EnvironmentSettingsTests {
    @Test func `a variable that is missing or empty says nothing`() throws {
        let settings = try EnvironmentSettings(["THREADLAB_TIME": "", "THREADLAB_SPEED": "7"])
        #expect(settings.time == nil && settings.seed == nil && settings.executions == nil && settings.stepTime == nil)
    }

    @Test func `each variable is read`() throws {
        let settings = try EnvironmentSettings([
            "THREADLAB_TIME": "5m", "THREADLAB_SEED": "18446744073709551615", "THREADLAB_EXECUTIONS": "1000000",
            "THREADLAB_STEP_TIME": "0s",
        ])
        #expect(settings.time == 300_000_000_000)
        #expect(settings.seed == .max)
        #expect(settings.executions == 1_000_000)
        #expect(settings.stepTime == 0)
    }

    @Test(
        arguments: [
            ("TIME", "soon", "a duration like 30s or 5m"), ("TIME", "0s", "a duration like 30s or 5m"),
            ("SEED", "-1", "a number from 0"), ("SEED", "7 ", "a number from 0"),
            ("EXECUTIONS", "0", "a number from 1"), ("EXECUTIONS", "1e6", "a number from 1"),
            ("STEP_TIME", "never", "a duration like 5m, or 0s for no limit"),
        ])
    func `what cannot be read is an error that names the variable, its value and what it must be`(
        name: String, value: String, meaning: String
    ) {
        let error = #expect(throws: TestingError.self) { try EnvironmentSettings(["THREADLAB_\(name)": value]) }
        #expect(error?.description == "THREADLAB_\(name) is '\(value)': it must be \(meaning)")
    }

    @Test func `what a terminal would obey is not shown as it is`() {
        let error = #expect(throws: TestingError.self) { try EnvironmentSettings(["THREADLAB_SEED": "\u{1B}[2J"]) }
        #expect(error?.description.contains("\u{1B}") == false)
    }
}
