extension Learner {
    func hint(_ word: String?) throws -> ExitCode { .expected }
    func lint() throws -> ExitCode { .expected }
    func writeSite(_ path: String) throws -> ExitCode { .expected }
}
