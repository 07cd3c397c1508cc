import CBench
import Glibc

/// How long `threadlab list` takes, as a process from beginning to end.
enum StartUpBenchmark {
    static func run() {
        let directory = CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let program = (directory + ["threadlab"]).joined(separator: "/")
        guard access(program, X_OK) == 0 else {
            print("\nstart-up: \(program) is not built")
            return
        }
        var times = (0..<41).map { _ in Double(nanoseconds { list(program) }) / 1e6 }
        // The first one finds the program's pages on the disk.
        times.removeFirst()
        let name = "threadlab list, the whole process".padded(to: 36)
        print("\nstart-up\n  \(name)\(decimal(times.median).padded(to: 10, right: true)) ms")
    }

    private static func list(_ program: String) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("threadlab"), strdup("list"), nil]
        defer { for argument in arguments { free(argument) } }
        var process = pid_t()
        guard posix_spawn(&process, program, &actions, nil, &arguments, environ) == 0 else { return }
        var status: Int32 = 0
        waitpid(process, &status, 0)
        precondition(status == 0, "threadlab list failed")
    }
}
