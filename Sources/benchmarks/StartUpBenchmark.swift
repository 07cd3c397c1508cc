import CBench
import Foundation

/// The start-up times of `threadlab show`, as a whole process, and of each scenario of a check.
enum StartUpBenchmark {
    /// The number of additional scenarios in the larger of two checks.
    private static let scenarios = 40
    /// The program in each file of both checks.
    private static let smallest = "scenario \"x\"\nshared x = 0\nthread t { x = 1 }\nfinally { assert x == 1 }\n"

    static func run() throws {
        // The built tool is beside this program.
        let directory = CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let program = (directory + ["threadlab"]).joined(separator: "/")
        guard access(program, X_OK) == 0 else {
            print("\nstart-up: \(program) is not built")
            return
        }
        print("\nstart-up")
        let list = milliseconds(program, ["show"])
        print("  \("threadlab show, the whole process".padded(to: 48))\(decimal(list).padded(to: 10, right: true)) ms")
        for (name, options) in [
            ("each scenario of a check, one controlled run", ["--controlled"]),
            ("each scenario of a check, one run on each", ["--both"]),
        ] {
            let time = try eachOfCheck(program, ["--runs", "1", "--jobs", "1"] + options)
            print("  \(name.padded(to: 48))\(decimal(time).padded(to: 10, right: true)) ms")
        }
    }

    /// The time of each scenario, in milliseconds: the time of a check with one scenario is subtracted from that of a
    /// check with `scenarios` more, and the rest divided by their number.
    private static func eachOfCheck(_ program: String, _ options: [String]) throws -> Double {
        let folder = FileManager.default.temporaryDirectory.appending(path: "threadlab-benchmark-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var times: [Double] = []
        for number in 0...scenarios {
            try smallest.write(to: folder.appending(path: "\(number).lab"), atomically: false, encoding: .utf8)
            guard number == 0 || number == scenarios else { continue }
            times.append(milliseconds(program, ["check", folder.path] + options))
        }
        return (times[1] - times[0]) / Double(scenarios)
    }

    private static let calls = 40

    /// The median time of the calls. One before them is not counted, because it loads the program's pages from disk.
    private static func milliseconds(_ program: String, _ words: [String]) -> Double {
        let times = (0..<calls + 1).map { _ in Double(nanoseconds { call(program, words) }) / 1e6 }
        return Array(times.dropFirst()).median
    }

    /// Runs the program, without its output, and waits for its end.
    private static func call(_ program: String, _ words: [String]) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        var arguments: [UnsafeMutablePointer<CChar>?] = (["threadlab"] + words).map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process = pid_t()
        guard posix_spawn(&process, program, &actions, nil, &arguments, environ) == 0 else { return }
        var status: Int32 = 0
        waitpid(process, &status, 0)
        precondition(status == 0, "threadlab \(words.joined(separator: " ")) failed")
    }
}
