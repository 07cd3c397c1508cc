extension Learner {
    func hint(_ word: String?) throws -> ExitCode { .expected }
}
