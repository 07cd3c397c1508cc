import Glibc
import Trace

/// A program of the system that makes one file from others, such as Graphviz's `dot`, which draws a graph.
package struct OutsideProgram {
    package let name: String
    /// The package that contains the program.
    let package: String
    /// What needs the program, such as "a drawing needs Graphviz", for messages.
    let need: String
    /// What the user could do instead.
    let instead: String

    package init(name: String, package: String, need: String, instead: String) {
        self.name = name
        self.package = package
        self.need = need
        self.instead = instead
    }

    /// The descriptor of the program's first input. The program gets no file names, so a name can neither be read as an
    /// option nor lead elsewhere.
    private static let firstInput: Int32 = 3

    /// The path by which the program reads one of its inputs.
    package static func path(ofInput number: Int) -> String { "/dev/fd/\(Int(firstInput) + number)" }

    /// Makes the file from what the program prints.
    ///
    /// - Parameters:
    ///   - arguments: the program's arguments. They name the inputs by `path(ofInput:)`.
    ///   - inputs: functions that write the program's inputs, one each.
    package func make(
        _ file: NewFile, _ arguments: [String], of inputs: [(inout ByteSink) -> Void]
    ) throws(Complaint) {
        var descriptors: [Int32] = []
        defer { for descriptor in descriptors { close(descriptor) } }
        for input in inputs { descriptors.append(try file.nameless(input)) }
        try file.fillThroughDescriptor { output throws(Complaint) in try run(arguments, descriptors, output) }
    }

    /// Runs the program, and waits for its end.
    ///
    /// - Parameter output: the descriptor for the program's standard output.
    private func run(_ arguments: [String], _ inputs: [Int32], _ output: Int32) throws(Complaint) {
        var words: [UnsafeMutablePointer<CChar>?] = ([name] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // In the child, the inputs become descriptors 3, 4, … one after the other. They are first copied to descriptors
        // beyond those, so that none is overwritten before its turn.
        let copies = inputs.map { fcntl($0, F_DUPFD_CLOEXEC, Self.firstInput + Int32(inputs.count)) }
        defer { for copy in copies where copy >= 0 { close(copy) } }
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        for (number, copy) in copies.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, copy, Self.firstInput + Int32(number))
        }
        var process: pid_t = 0
        guard posix_spawnp(&process, name, &actions, nil, &words, environ) == 0 else {
            throw Complaint(
                "\(need), and there is no program '\(name)': install the package \(package), or \(instead)", .failure)
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        guard status == 0 else { throw Complaint("\(need), but '\(name)' ended with status \(status)", .failure) }
    }
}
