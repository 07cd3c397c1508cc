import Authoring
import Diagnosis
import Judging
import LabExecution
import LabSyntax
import Supervision

/// Judges the claims of an exercise of the kind `property`: whether they hold for the right program, and whether each
/// wrong program breaks one.
package struct PropertyJudge {
    private let exercise: Exercise
    private let plan: CheckPlan
    private let jobs: Int

    package init(_ exercise: Exercise, _ plan: CheckPlan = TaskJudge.plan(), jobs: Int = Processors.count) {
        self.exercise = exercise
        self.plan = plan
        self.jobs = jobs
    }

    package struct Ruling: Sendable {
        /// What the right program does and the claims do not allow. Nil: the claims hold.
        package var refutation: Mismatch?
        /// A run of the right program that shows it.
        package var run: ShownRun?
        /// The numbers, from 1, of the wrong programs that the claims allow.
        package var survivors: [Int] = []
        /// What a limit has left unknown about one of the programs. Nil: everything is known.
        package var gap: Mismatch?
        /// The number of wrong programs.
        package var mutants: Int

        package var isPassed: Bool { refutation == nil && survivors.isEmpty && gap == nil }
    }

    /// Judges the claims of a submission. Must be called while the process has one thread: it forks.
    ///
    /// - Parameter submission: a program, of which only the claims are used.
    /// - Throws: `UnansweredQuestion` if the claims cannot be read, or an error of threadlab itself.
    package func judge(_ submission: SourceText) throws -> Ruling {
        let claims = submission.claims
        guard !claims.isEmpty else {
            throw UnansweredQuestion(message: "there are no claims: write 'invariant …', 'expect …' or 'finally { … }'")
        }
        // Version 0 is the right program, and the others are the wrong ones. Each is searched under every memory model
        // that the claims name.
        var programs: [(version: Int, program: any Runnable)] = []
        for (version, text) in ([exercise.task] + exercise.mutants.map(\.text)).enumerated() {
            var program = ProgramVersion(text, name: submission.name)
            program.removeClaims()
            program.add(claims)
            do {
                programs += try program.runnable().underEachModel().map { (version, $0) }
            } catch let problem as VersionProblem {
                throw UnansweredQuestion(message: problem.message)
            } catch let problem as UnsupportedModel {
                throw UnansweredQuestion(message: "\(problem)")
            }
        }
        // For each of the programs, once it has been searched.
        var verdicts: [(verdict: TaskVerdict, run: ShownRun?)?] = Array(repeating: nil, count: programs.count)
        var plan = plan
        plan.keepsTraces = true
        // The time limit is for the whole submission. If all programs run in parallel, each can have all of it.
        if programs.count > jobs { plan.totalTime = plan.time }
        let signal = try Check(programs.map(\.program), plan, jobs: jobs).run { index, result in
            let (version, program) = programs[index]
            let verdict = TaskVerdict(result, of: program)
            verdicts[index] = (verdict, version == 0 ? ShownRun(verdict, result) : nil)
            return true
        } progress: { _ in
        }
        if let signal { throw Interrupted(signal: signal) }
        // For each version, the verdict that decides among those under the memory models.
        let decisive = (0...exercise.mutants.count).compactMap { version in
            let all = verdicts.indices.filter { programs[$0].version == version }.compactMap { verdicts[$0] }
            return TaskVerdict.decisive(all.map(\.verdict)).map { all[$0] }
        }
        var ruling = try ruling(decisive.map(\.verdict))
        ruling.run = decisive.first?.run
        return ruling
    }

    /// - Parameter verdicts: the verdict on the right program, and then those on the wrong ones.
    private func ruling(_ verdicts: [TaskVerdict]) throws -> Ruling {
        var ruling = Ruling(mutants: exercise.mutants.count)
        for (number, verdict) in verdicts.enumerated() {
            switch verdict {
            case .error(let message): throw SupervisionFailed(message)
            case .undecided(let mismatches): ruling.gap = ruling.gap ?? mismatches.first
            case .refuted(let mismatches): if number == 0 { ruling.refutation = mismatches.first }
            case .passed: if number > 0 { ruling.survivors.append(number) }
            case .evading, .wrong: preconditionFailure("a program that was searched has been read")
            }
        }
        return ruling
    }
}
