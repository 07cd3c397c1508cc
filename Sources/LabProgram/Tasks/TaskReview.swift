import LabSyntax
import Text

/// A violation of a task's limit, with its place in the program.
package struct TaskViolation: Equatable, Sendable {
    /// One sentence without its full stop.
    package var message: String
    package var span: Span

    package init(_ message: String, at span: Span) {
        self.message = message
        self.span = span
    }
}

/// Finds the limits of its task that a program violates, as far as its text shows. Busy waiting shows only in a search.
package struct TaskReview {
    private let program: Program
    private let configuration: Configuration

    package init(_ program: Program, _ configuration: Configuration) {
        self.program = program
        self.configuration = configuration
    }

    package var violations: [TaskViolation] { program.task?.rules.compactMap { violation(of: $0) } ?? [] }

    private func violation(of rule: Program.Task.Rule) -> TaskViolation? {
        switch rule.kind {
        case .atMost(let most, let quantity): return excess(quantity, most)
        case .no(let word):
            guard let use = program.task?.ownWords.first(where: { $0.isWord && $0.text == word }) else { return nil }
            return TaskViolation("the task does not allow '\(word)'", at: use.span)
        case .each(let thread, let function):
            let declared = program.threads[thread]
            let walk = PathWalk(program, configuration, calls: function)
            guard let exit = walk.missingExit(of: declared.body) else { return nil }
            let called = quoted(program.functions[function].name)
            let how = exit == nil ? "reach its end" : "return here"
            return TaskViolation(
                "each \(quoted(declared.name)) must call \(called), and can \(how) without a call",
                at: program.source.wordSpan(at: exit ?? declared.site))
        case .noBusyWaiting: return nil
        }
    }

    private func excess(_ quantity: TaskQuantity, _ most: Int) -> TaskViolation? {
        let number = Self.number(of: quantity, program, configuration)
        guard number > most else { return nil }
        let limit = "the task allows at most \(quantity.text(most)), and this program has \(number)"
        return TaskViolation(limit, at: program.source.wordSpan(at: place(ofExcess: quantity, most)))
    }

    /// The first declaration with which the number exceeds the limit; the beginning of the file for lines of code.
    private func place(ofExcess quantity: TaskQuantity, _ most: Int) -> Site {
        var count = 0
        for (number, site) in Self.declarations(of: quantity, program, configuration, onlyGiven: false) {
            count += number
            if count > most { return site }
        }
        return Site(line: 1, column: 1)
    }

    /// The number of things of this kind in the program: lines, or declarations, with the elements of arrays counted
    /// individually.
    ///
    /// - Parameter onlyGiven: whether to count only what every solution has: given declarations, and all threads and
    ///   parameters.
    static func number(
        of quantity: TaskQuantity, _ program: Program, _ configuration: Configuration, onlyGiven: Bool = false
    ) -> Int {
        if quantity == .lines { return onlyGiven ? 0 : program.task?.lines ?? 0 }
        return declarations(of: quantity, program, configuration, onlyGiven: onlyGiven).reduce(0) { $0 + $1.count }
    }

    /// For each declaration of this kind, its number of elements and its place.
    private static func declarations(
        of quantity: TaskQuantity, _ program: Program, _ configuration: Configuration, onlyGiven: Bool
    ) -> [(count: Int, site: Site)] {
        switch quantity {
        case .lines: []
        case .parameters: program.parameters.map { (1, $0.site) }
        case .functions: program.functions.filter { $0.isGiven || !onlyGiven }.map { (1, $0.site) }
        case .threads: zip(program.threads, configuration.threadCounts).map { ($1, $0.site) }
        case .shared, .atomics, .mutexes, .readWriteLocks, .semaphores, .conditions, .built:
            zip(program.objects, configuration.elementCounts).filter {
                $0.0.kind.quantity == quantity && ($0.0.isGiven || !onlyGiven)
            }.map { ($1, $0.site) }
        }
    }
}

extension Program.Object.Kind {
    fileprivate var quantity: TaskQuantity {
        switch self {
        case .cell, .list: .shared
        case .atomic: .atomics
        case .mutex: .mutexes
        case .readWriteLock: .readWriteLocks
        case .semaphore: .semaphores
        case .condition: .conditions
        case .built(let recipe): .built(recipe)
        }
    }
}
