import Testing
import Text

@testable import Arguments

@Suite struct ArgumentErrorTests {
    @Test(
        arguments: [
            ("", "no command given: 'threadlab help' lists the commands"),
            ("lst", "unknown command 'lst': did you mean 'list'?"),
            ("xyzzy", "unknown command 'xyzzy': 'threadlab help' lists the commands"),
            (
                "help lst",
                "no command or page is called 'lst': did you mean 'list'?"
            ),
            ("--verson", "unknown option '--verson' for 'threadlab': did you mean '--version'?"),
            ("--version run", "unexpected 'run' after 'threadlab --version'"),
            ("run deadlok", "unknown scenario 'deadlok': did you mean 'deadlock'?"),
            ("run xyzzy", "unknown scenario 'xyzzy': 'threadlab list' shows them"),
            ("run deadlok --varient fixed", "unknown scenario 'deadlok': did you mean 'deadlock'?"),
            ("show deadlok", "unknown scenario 'deadlok': did you mean 'deadlock'?"),
            (
                "run deadlock --varient fixed",
                "unknown option '--varient' for 'run deadlock': did you mean '--variant'?"
            ),
            ("run deadlock --var fixed", "unknown option '--var' for 'run deadlock': did you mean '--variant'?"),
            ("run deadlock -variant fixed", "unknown option '-variant' for 'run deadlock': did you mean '--variant'?"),
            (
                "run deadlock --varient=fixed",
                "unknown option '--varient' for 'run deadlock': did you mean '--variant'?"
            ),
            ("run deadlock --producers 3", "unknown option '--producers' for 'run deadlock'"),
            ("run deadlock --variant fixet", "--variant fixet: must be broken or fixed; did you mean 'fixed'?"),
            ("run deadlock --format xml", "--format xml: must be text, lanes, json or none"),
            ("run producer-consumer --capacity 0", "--capacity 0: must be from 1 to 64"),
            ("run producer-consumer --capacity=", "--capacity '': must be a whole number from 1 to 64"),
            ("run producer-consumer --capacity four", "--capacity four: must be a whole number from 1 to 64"),
            ("run producer-consumer --pause 5", "--pause 5: must be a time such as 10s, 250ms or 1.5s"),
            ("run deadlock --timeout 0s", "--timeout 0s: must be from 1ms to 1h"),
            (
                "run deadlock --timeout soon",
                "--timeout soon: must be a time such as 10s, 250ms or 1.5s, from 1ms to 1h"
            ),
            ("run deadlock --seed -1", "--seed -1: must be a whole number from 0 to 18446744073709551615"),
            ("run deadlock --seed", "--seed needs a value: --seed N"),
            ("run deadlock --seed --native", "--seed needs a value: --seed N"),
            ("run deadlock --native=yes", "--native=yes: does not take a value: write --native"),
            ("run deadlock --controlled --native", "--native and --controlled cannot be used together"),
            ("run", "'run' needs NAME: the scenario, or a .lab file"),
            ("run --producers 3", "'run' needs NAME: the scenario, or a .lab file"),
            ("trace", "'trace' needs FILE: the traces to show"),
            ("run deadlock dining", "unexpected 'dining' after 'run deadlock'"),
            ("completion tcsh", "SHELL tcsh: must be bash, zsh or fish"),
            ("run --policy deadlock producer-consumer", "unknown option '--policy' for 'run deadlock'"),
            (
                "run --policy producer-consumer dining",
                "'producer-consumer' or 'dining': either could be the scenario; write the scenario first, then its options"
            ),
        ])
    func `a mistake is answered with what is wrong, where, and what to write instead`(line: String, message: String)
        throws
    {
        let error = try #require(throws: ArgumentError.self) { try Sample.request(line) }
        #expect(error.message == message)
    }

    @Test func `words of the user cannot control the terminal`() throws {
        let hostile = "a\u{1B}[31m\r\n\u{202E}b"
        let safe = "a\\u{1B}[31m\\u{D}\\u{A}\\u{202E}b"
        #expect(hostile.printable == safe)
        for words in [
            [hostile], ["run", hostile], ["run", "deadlock", "--" + hostile], ["run", "deadlock", "--seed", hostile],
            ["run", "deadlock", "--native=" + hostile], ["run", "deadlock", hostile],
        ] {
            let error = try #require(throws: ArgumentError.self) {
                try Sample.tool.parse(words, scenarios: Sample.scenarios)
            }
            #expect(error.message.contains(safe))
        }
    }

    @Test func `a very long word is cut off, and letters of all languages stay as they are`() {
        #expect(String(repeating: "x", count: 1_000_000).printable.count == 201)
        #expect("träge 线程 🧵".printable == "träge 线程 🧵")
    }
}
