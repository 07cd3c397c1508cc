import Glibc
import LabProgram
import Text

/// A compiled program with its arguments, input and environment.
package struct ProgramStart: Equatable, Sendable {
    package let path: String
    /// The program's arguments, quoted as for a shell.
    let words: String
    /// The file for standard input. Nil: the program gets the command's standard input.
    var input: String?
    /// Additional environment variables, each as `NAME=VALUE`, quoted as for a shell.
    var environment = ""

    package init(path: String, words: String) {
        self.path = path
        self.words = words
    }

    /// - Parameter file: the path of the `.lab` file. Paths in the file are relative to its folder.
    package init(_ call: Program.ProgramCall, in file: String) {
        let folder = file.placeOfPath ?? ""
        func located(_ path: String) -> String {
            if path.isAbsolutePath { return path }
            return folder.isEmpty ? path : folder + (path.path(below: ".") ?? path[...])
        }
        self.path = located(call.path)
        // `gifts` are what the call in the file gives to the program, as texts.
        words = call.gifts[.arguments] ?? ""
        input = call.gifts[.input].map(located)
        environment = call.gifts[.environment] ?? ""
    }

    /// Gives this process the environment and the standard input for the program, which it executes next.
    func prepare() throws(Complaint) {
        guard let variables = ShellWords(environment)?.words else {
            throw Complaint("\(path.printable): in '\(environment.printable)' a quotation mark is not closed")
        }
        for variable in variables {
            guard let sign = variable.firstIndex(of: "="), sign > variable.startIndex else {
                throw Complaint("\(path.printable): '\(variable.printable)' is not NAME=VALUE")
            }
            setenv(String(variable[..<sign]), String(variable[variable.index(after: sign)...]), 1)
        }
        guard let input else { return }
        // Without O_NONBLOCK, opening a named pipe would wait for a writer. Pipes are refused; a device such as
        // /dev/null may be the input.
        let file = open(input, O_RDONLY | O_NONBLOCK)
        var status = stat()
        if file >= 0, fstat(file, &status) == 0, status.st_mode & S_IFMT != S_IFREG, status.st_mode & S_IFMT != S_IFCHR
        {
            close(file)
            throw Complaint("\(input.printable), the input of \(path.printable), is not a file")
        }
        guard file >= 0, fcntl(file, F_SETFL, O_RDONLY) >= 0, dup2(file, STDIN_FILENO) >= 0 else {
            throw Complaint(
                "cannot read \(input.printable), the input of \(path.printable): \(String(cString: strerror(errno)))")
        }
        if file != STDIN_FILENO { close(file) }
    }
}
