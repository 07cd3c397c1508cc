import Authoring
import Diagnosis
import LabSyntax
import Supervision

/// Judges the claims of an exercise of the kind `property`: do they hold for the right program, and does each wrong one
/// break some?
package struct PropertyJudge {
    private let exercise: Exercise

    package init(_ exercise: Exercise) { self.exercise = exercise }

    package struct Ruling: Sendable {
        /// What the right program does that the claims do not allow. Nil: they hold.
        package var refutation: Mismatch?
        /// The numbers of the wrong programs that the claims allow, from 1.
        package var survivors: [Int] = []
        /// The number of wrong programs.
        package var mutants: Int

        package var isPassed: Bool { refutation == nil && survivors.isEmpty }
    }

    /// Must be called while the process has one thread: it forks.
    ///
    /// - Parameter submission: a program, of which only the claims are taken.
    /// - Throws: `UnansweredQuestion` if the claims cannot be read, or an error of threadlab itself.
    package func judge(_ submission: SourceText) throws -> Ruling {
        let claims = submission.claims
        guard !claims.isEmpty else {
            throw UnansweredQuestion(message: "there are no claims: write 'invariant …', 'expect …' or 'finally { … }'")
        }
        var programs: [any Runnable] = []
        for text in [exercise.task] + exercise.mutants.map(\.text) {
            var version = ProgramVersion(text, name: submission.name)
            version.removeClaims()
            version.add(claims)
            do {
                programs.append(try version.runnable())
            } catch {
                throw UnansweredQuestion(message: error.message)
            }
        }
        var results: [[Mismatch]] = Array(repeating: [], count: programs.count)
        var failure: String?
        let plan = CheckPlan(executions: .max, nativeRuns: 0, seed: 1, time: Self.time)
        let check = Check(programs, plan, jobs: Processors.count)
        let signal = try check.run { number, result in
            failure = failure ?? result.failure
            results[number] = Judgement.mismatches(
                result.evidence, programs[number].expectation, states: programs[number].soughtStates,
                needsProof: number == 0)
            return true
        } progress: { _ in
        }
        if let signal { throw Interrupted(signal: signal) }
        if let failure { throw SupervisionFailed(failure) }
        return Ruling(
            refutation: results[0].first,
            survivors: results.indices.dropFirst().filter { results[$0].isEmpty }, mutants: exercise.mutants.count)
    }

    /// The limit for each program, in nanoseconds.
    private static let time: UInt64 = 10_000_000_000
}
