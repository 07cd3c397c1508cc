import Support
import Testing

/// What compiled programs read: each execution reads the same.
@Suite struct CompiledInputTests {
    @Test(arguments: ["scanf", "fgets", "getline", "getchar"])
    func `standard input that is a file, or a pipe, is read by each execution, and can be part of a proof`(way: String)
        throws
    {
        let program = try CProgram("input")
        try program.write("numbers", "2 two")
        for command in ["cat numbers |", "< numbers"] {
            let words = "\(command) '\(Programs.threadlab)' explore ./input -- \(way)"
            try program.runs("/bin/bash", ["-c", words]).exits(with: 0).prints("proved: none of ")
        }
    }

    @Test func `a search of several processes reads a pipe once, however late its input comes`() throws {
        let program = try CProgram("input")
        let words =
            "{ sleep 0.3; echo 2 two; } | '\(Programs.threadlab)' explore ./input --jobs 2 --strategy random --runs 500"
        try program.runs("/bin/bash", ["-c", words]).exits(with: 0).prints("no finding: in 500 executions")
    }

    @Test func `what the kernel reads for the program comes from the same place`() throws {
        let program = try CProgram("input")
        let words = "echo 2 | '\(Programs.threadlab)' explore ./input -- read"
        try program.runs("/bin/bash", ["-c", words]).exits(with: 0).prints("proved: none of ")
    }

    @Test func `so does what is read by a copy of its descriptor`() throws {
        let program = try CProgram("input")
        let words = "echo 2 | '\(Programs.threadlab)' explore ./input --runs 20 -- copy"
        try program.runs("/bin/bash", ["-c", words]).exits(with: 0).prints("no finding: in ")
    }

    @Test func `what differs at each reading is not part of a proof`() throws {
        let program = try CProgram("input")
        let words = "'\(Programs.threadlab)' explore ./input -- fgets < /dev/zero"
        try program.runs("/bin/bash", ["-c", words]).exits(with: 1).prints("No proof: The program has called 'fgets'")
    }

    @Test func `what a text does not have is not written`() throws {
        try CProgram("input").explore(arguments: ["short"]).exits(with: 0).prints("no finding: in ")
    }

    @Test func `threads that scan texts into one variable race`() throws {
        try CProgram("input").explore(arguments: ["race"]).exits(with: 1)
            .prints("race: Data race: threads main and scan write word[0] without synchronization.")
    }
}
