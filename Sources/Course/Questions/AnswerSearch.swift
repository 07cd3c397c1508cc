import Authoring
import Exploration
import LabExecution
import LabSyntax
import Machine
import Supervision
import Trace

/// The explorer's answer to a question.
package struct Answer: Sendable {
    package struct Option: Sendable {
        package let text: String
        package let isRight: Bool
        /// A schedule that shows that the option is right. Nil: the option is wrong, or no schedule can show it.
        package let schedule: String?
    }

    package let options: [Option]
    /// The number of states or executions that were searched, as a noun phrase: "45 states".
    package let extent: String
    /// The right answers that are not among the options.
    package let missing: [String]
}

/// Why a question cannot be answered, or an exercise cannot be judged: it has an error, or its program is too large.
package struct UnansweredQuestion: Error, Sendable, CustomStringConvertible {
    package let message: String

    package var description: String { message }
}

extension Question {
    /// The maximum number of states of a program in a question.
    private static var mostStates: Int { 200_000 }

    /// Computes the answer. Must be called while the process has one thread, because some searches fork.
    package func answer() throws(UnansweredQuestion) -> Answer {
        do {
            if model != .sc { return try weakAnswer() }
            switch kind {
            case .values(let expression, nil):
                return try possible(options.map { "(\(expression)) == (\($0))" }, atEnd: true, rest: expression)
            case .values(let expression, let place?): return try values(of: expression, at: place)
            case .possibleEnd: return try possible(options, atEnd: true, rest: nil)
            case .possibleState: return try possible(options, atEnd: false, rest: nil)
            case .ends: return try ends(among: options.compactMap { OutcomeKind(word: $0) })
            case .can(let word): return try canEnd(word)
            case .steps(let schedule): return try steps(after: schedule)
            }
        } catch let problem as VersionProblem {
            throw UnansweredQuestion(message: "\(program.file): \(problem.message)")
        } catch let problem as UnansweredQuestion {
            throw problem
        } catch {
            throw UnansweredQuestion(message: "\(error)")
        }
    }

    // MARK: - Conditions

    /// Finds which of the conditions are true in some state, or at the end of some run.
    ///
    /// - Parameters:
    ///   - conditions: one for each option.
    ///   - expression: if it can have a value that is none of the options, that is reported as missing. Nil: there is
    ///     no such expression.
    private func possible(_ conditions: [String], atEnd: Bool, rest expression: String?) throws -> Answer {
        var version = ProgramVersion(program.text, name: program.file)
        version.removeClaims()
        let other = expression.map { expression in
            options.map { "(\(expression)) != (\($0))" }.joined(separator: " && ")
        }
        let claims = conditions + [other].compactMap(\.self)
        version.add(claims.map { "expect \(atEnd ? "sometimes" : "possible") \($0)" })
        let runnable = try version.runnable()
        guard runnable.soughtStates.count == claims.count else {
            throw UnansweredQuestion(message: "two of the options mean the same")
        }
        let tour = try StateTour(of: runnable, most: Self.mostStates, properties: claims.count) { subject, verdict in
            // The end of a run that does not complete shows no values.
            if atEnd ? verdict != .completed : (verdict != nil && verdict != .completed) { return [] }
            return runnable.seenStates(of: subject)
        }
        guard tour.isComplete else { throw UnansweredQuestion(tooLarge: program.file, Self.mostStates) }
        let isIncomplete = other != nil && tour.schedules[conditions.count] != nil
        return Answer(
            options: options.enumerated().map { number, text in
                Answer.Option(
                    text: text, isRight: tour.schedules[number] != nil, schedule: tour.schedules[number]?.description)
            }, extent: "\(tour.stateCount) states", missing: isIncomplete ? ["another value"] : [])
    }

    /// Finds the values that the expression can have when the thread is about to execute the line of the place. For
    /// each option it inserts an `assert` there that says that the value is another one, and looks for a failure.
    private func values(of expression: String, at place: ProgramPlace) throws -> Answer {
        var found: [Schedule?] = []
        var greatestCount = 0
        guard program.text.ranges(of: place.text).count == 1 else {
            throw UnansweredQuestion(message: "'\(place.text)' is not in exactly one place of \(program.file)")
        }
        let exclusion = try SourceText(name: program.file, program.text).exclusion(of: place)
        // After the conditions of the options, one that finds any other value.
        for condition in options.map({ "(\(expression)) == (\($0))" }) + [rest(of: expression)] {
            var version = ProgramVersion(program.text, name: program.file)
            version.removeClaims()
            guard version.insert("assert \(exclusion)!(\(condition))", before: place.text) else {
                throw UnansweredQuestion(message: "'\(place.text)' is not in exactly one place of \(program.file)")
            }
            let line = program.text.line(of: place.text)
            let runnable = try version.runnable()
            // Looks for one property of states, with the number 0: that the inserted assertion has failed.
            let tour = try StateTour(of: runnable, most: Self.mostStates, properties: 1) { subject, verdict in
                verdict == .assertion && subject.place == line ? [0] : []
            }
            guard tour.isComplete else { throw UnansweredQuestion(tooLarge: program.file, Self.mostStates) }
            found.append(tour.schedules[0])
            greatestCount = max(greatestCount, tour.stateCount)
        }
        return Answer(
            options: zip(options, found).map { text, schedule in
                Answer.Option(text: text, isRight: schedule != nil, schedule: schedule?.description)
            }, extent: "\(greatestCount) states", missing: found[options.count] == nil ? [] : ["another value"])
    }

    /// The condition that the expression has none of the options as its value.
    private func rest(of expression: String) -> String {
        options.map { "(\(expression)) != (\($0))" }.joined(separator: " && ")
    }

    // MARK: - Ends

    /// The answer under a memory model other than sc.
    private func weakAnswer() throws -> Answer {
        switch kind {
        case .values(let expression, nil):
            return try possibleAtWeakEnd(options.map { "(\(expression)) == (\($0))" }, rest: expression)
        case .possibleEnd: return try possibleAtWeakEnd(options, rest: nil)
        case .ends: return try ends(among: options.compactMap { OutcomeKind(word: $0) })
        case .can(let word): return try canEnd(word)
        case .values, .possibleState, .steps:
            throw UnansweredQuestion(message: "a question about states and steps has no 'model: \(model.rawValue)'")
        }
    }

    /// Whether some run can end in this way.
    private func canEnd(_ word: String) throws -> Answer {
        guard let kind = OutcomeKind(word: word) else {
            throw UnansweredQuestion(message: "'\(word)' is not a way in which a run ends")
        }
        let answer = try ends(among: [kind])
        let isPossible = answer.options[0].isRight
        return Answer(
            options: [
                Answer.Option(text: "yes", isRight: isPossible, schedule: answer.options[0].schedule),
                Answer.Option(text: "no", isRight: !isPossible, schedule: nil),
            ], extent: answer.extent, missing: [])
    }

    /// Finds which of the outcomes some run has. Others that occur are reported as missing.
    func ends(among kinds: [OutcomeKind]) throws -> Answer {
        var version = ProgramVersion(program.text, name: program.file)
        version.removeClaims(keepingFinally: true)
        version.add(["expect completes"])
        var plan = SearchPlan(try modeled(version))
        plan.rules.model = model
        // Every ending is reported, and none ends the search.
        plan.goal.harmless = []
        plan.goal.keepsGoing = true
        let (result, findings) = try SearchSupervisor.run(plan, telling: .firstOfEachKind)
        guard result.isProof else {
            throw UnansweredQuestion(message: "\(program.file) is too large to try everything")
        }
        func option(_ kind: OutcomeKind) -> Answer.Option {
            let finding = findings.first { $0.finding.kind == kind }
            let schedule = finding.map { ($0.shrunk?.schedule ?? $0.finding.schedule).description }
            return Answer.Option(text: kind.word, isRight: finding != nil, schedule: schedule)
        }
        let missing = findings.map(\.finding.kind).filter { !kinds.contains($0) }
        return Answer(
            options: kinds.map(option), extent: "\(result.total ?? 0) executions", missing: missing.map(\.word))
    }

    // MARK: - Steps

    /// Finds which threads can step after the schedule.
    private func steps(after text: String) throws -> Answer {
        guard let schedule = try? Schedule(parsing: text) else {
            throw UnansweredQuestion(message: "'\(text)' is no schedule")
        }
        var version = ProgramVersion(program.text, name: program.file)
        version.removeClaims(keepingFinally: true)
        guard let subject = try version.runnable().states, let walk = ScheduleWalk(subject, schedule) else {
            throw UnansweredQuestion(message: "the schedule \(text) does not fit \(program.file)")
        }
        let able = walk.enabled.map { walk.names[$0] }
        return Answer(
            options: options.map { Answer.Option(text: $0, isRight: able.contains($0), schedule: nil) },
            extent: "1 state", missing: able.filter { !options.contains($0) })
    }
}

extension StateTour {
    /// A tour of all states of a program.
    ///
    /// - Parameters:
    ///   - most: the maximum number of states.
    ///   - properties: the number of properties.
    ///   - look: returns the numbers of the properties that a state has.
    init(
        of runnable: any Runnable, most: Int, properties: Int,
        look: @escaping (any StatefulSubject, Verdict?) -> [Int]
    ) throws(VersionProblem) {
        guard let subject = runnable.states else {
            throw VersionProblem(message: "it runs a scenario of Swift, which has no states")
        }
        self.init(subject, Rules(), most: most, properties: properties, look: look)
    }
}

extension Runnable {
    /// The program as a subject whose states can be visited. Nil: it has none.
    var states: (any ShownSubject)? { makeSubject(Rules(), log: nil) as? any ShownSubject }
}

extension UnansweredQuestion {
    init(tooLarge file: String, _ most: Int) {
        self.init(message: "\(file) has more than \(most) states: make it smaller")
    }
}

extension OutcomeKind {
    /// - Parameter word: the outcome as it is written after `expect`.
    init?(word: String) { self.init(rawValue: word == Self.completionWord ? Self.completed.rawValue : word) }

    /// The outcome as it is written after `expect`: `completes` instead of `completed`.
    var word: String { self == .completed ? Self.completionWord : rawValue }

    private static let completionWord = "completes"
}

extension String {
    /// The number of the line in which a text begins, from 1. 0: the text does not occur.
    fileprivate func line(of text: String) -> Int {
        guard let place = firstRange(of: text) else { return 0 }
        return self[..<place.lowerBound].count { $0 == "\n" } + 1
    }
}
