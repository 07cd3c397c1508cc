import LabExecution
import LabProgram
import LabSyntax

/// The time to turn the text of a large `.lab` file into a program that runs.
enum LabReadingBenchmark {
    static func run() throws {
        let text = program
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).count - 1
        print("\nreading .lab files, \(lines) lines with every construct of the language")
        let source = SourceText(name: "large.lab", text)
        let reading = source.read()
        guard let program = reading.program else { preconditionFailure(reading.diagnostics[0].text(in: source)) }
        measure("parse and check") { _ = SourceText(name: "large.lab", text).read() }
        try measure("compile") { _ = try program.compiled() }
        try measure("all of it") { _ = try SourceText(name: "large.lab", text).read().program?.compiled() }
        try measure("format") { _ = try source.formatted() }
    }

    private static let repetitions = 41

    private static func measure(_ name: String, _ body: () throws -> Void) rethrows {
        let times = try (0..<repetitions).map { _ in Double(try processorNanoseconds(body)) / 1e6 }
        print("  \(name.padded(to: 34))\(decimal(times.median, 2).padded(to: 10, right: true)) ms")
    }

    /// Declarations and code for the whole language, repeated under different names: about a thousand lines.
    private static var program: String {
        let head = """
            /// A large program.
            scenario "large"

            /// how often everything is done
            parameter rounds = 2 in 1...9
            parameter pause: Duration = 1ms in 0ms...1s
            parameter isPatient = true

            """
        let end = """
            finally {
                assert count0 >= 0, "the count is \\(count0)"
            }
            expect race, lock-order, deadlock, assertion
            expect always isOpen0 == 1 || isOpen0 == 0
            expect never count0 == -1
            expect sometimes count0 == 1
            expect under seqcst outcomes {
                turn0 == 0 && mask0 == 0xFF
                turn0 == 1 && mask0 == 0
            }

            """
        return head + (0..<14).map(chapter).joined() + end
    }

    private static func chapter(_ n: Int) -> String {
        """

        // Chapter \(n).
        shared count\(n) = 0, cells\(n)[3] = [1, 2, 3], mask\(n) = 0xFF
        shared log\(n) = [], flags\(n): [Bool] = []
        atomic isOpen\(n) = 0, turn\(n) = 0
        mutex m\(n), forks\(n)[3]
        recursive mutex again\(n)
        checking mutex strict\(n)
        rwlock data\(n)
        writersFirst rwlock fair\(n)
        semaphore seats\(n) = 2
        condition ready\(n), idle\(n) with m\(n)
        barrier meeting\(n)(2)
        once setup\(n)

        func withdraw\(n)(amount: Int) -> Bool {
            lock m\(n) {
                if count\(n) < amount { return false }
                count\(n) -= amount
            }
            return true
        }

        thread worker\(n)[2] {
            once setup\(n) { cells\(n)[0] = 42 }
            for i in 1...rounds {
                seats\(n).wait()
                count\(n) += (cells\(n)[i % 3] + 1) * 2 << index
                seats\(n).signal()
            }
            lock again\(n) {
                lock again\(n) { mask\(n) &= ~cells\(n)[index] | -1 }
            }
            if meeting\(n).wait() { note "the last is \\(index) of \\(rounds * 2)" }
            if m\(n).tryLock() {
                m\(n).unlock()
            } else if m\(n).lock(for: 10ms) {
                m\(n).unlock()
            }
            var left = choose(3)
            while left > 0 {
                left -= 1
                if left == 1 { continue }
                if withdraw\(n)(left) && !(count\(n) == 7) || isPatient { break }
            }
            lock forks\(n)[index] {
                lock m\(n) {
                    while log\(n).isEmpty {
                        if !ready\(n).wait(for: 5ms) { log\(n).append(index) }
                    }
                    log\(n)[0] = log\(n).removeFirst() + log\(n).count
                }
            }
        }

        thread opener\(n) {
            reading data\(n) { assert cells\(n)[1] == 2, "it is \\(cells\(n)[1])" }
            writing fair\(n) { flags\(n).append(true) }
            lock m\(n) { ready\(n).broadcast(); idle\(n).signal() }
            strict\(n).lock()
            strict\(n).unlock()
            isOpen\(n).store(1, seqcst)
            let ticket = turn\(n).add(1)
            repeat 2 { turn\(n).compareExchange(expected: ticket, desired: 0) }
            spawn helper\(n)
            join helper\(n)[0]
            detach helper\(n)[1]
        }

        thread helper\(n)[2] {
            await isOpen\(n).load() == 1
            sleep pause * 2
            yield
        }

        """
    }
}
