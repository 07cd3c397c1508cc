import LabSyntax
import Recipes

/// What depends on a program's parameters and is constant in a run: the numbers of elements of arrays, and the initial
/// values.
package struct Configuration: Equatable, Sendable {
    /// The parameters' values, in the order of `Program.parameters`.
    package let arguments: [Int]
    /// For each of `Program.objects`, the number of its elements: 1 for a single object.
    package internal(set) var elementCounts: [Int] = []
    /// For each of `Program.objects`, its initial contents: for shared variables, atomics and semaphores a value for
    /// each element; for a list its values; for a built object the number in parentheses, if any.
    package internal(set) var initialValues: [[Int]] = []
    /// For each of `Program.objects` that is a condition, the element of the mutex array that it uses; 0 for the
    /// others.
    package internal(set) var mutexElements: [Int] = []
    /// For each of `Program.threads`, the number of its elements.
    package internal(set) var threadCounts: [Int] = []

    /// For each of `Program.objects`, the number of its first element when the elements of all objects are numbered
    /// consecutively.
    package var firstElements: [Int] {
        var next = 0
        return elementCounts.map { count in
            defer { next += count }
            return next
        }
    }
}

extension Program {
    /// Evaluates the constants for these parameters.
    ///
    /// - Parameter arguments: a value for each parameter. Nil: the defaults.
    /// - Throws: the error to report, with its place in the file, such as an array without elements or too many
    ///   threads.
    package func configured(with arguments: [Int]? = nil) throws(Diagnostic) -> Configuration {
        let arguments = arguments ?? parameters.map(\.defaultValue)
        try checkArguments(arguments)
        var configuration = Configuration(arguments: arguments)
        for object in objects {
            configuration.elementCounts.append(
                try object.count.map { count throws(Diagnostic) in
                    try value(of: count, arguments, in: 1...Limits.elements, "the number of elements")
                } ?? 1)
        }
        if configuration.elementCounts.reduce(0, +) > Limits.objects {
            throw diagnostic(ValueProblem.tooManyObjects, objects.last?.site)
        }
        for (number, object) in objects.enumerated() {
            configuration.initialValues.append(
                try initialValues(of: object, configuration.elementCounts[number], arguments))
            configuration.mutexElements.append(try mutexElement(of: object, configuration))
        }
        try countThreads(&configuration)
        return configuration
    }

    private func checkArguments(_ arguments: [Int]) throws(Diagnostic) {
        for (parameter, value) in zip(parameters, arguments) {
            if let range = parameter.range, !range.contains(value) {
                throw diagnostic(ValueProblem.outOfRange(parameter.name, value, range), parameter.site)
            }
        }
    }

    private func initialValues(
        of object: Object, _ count: Int, _ arguments: [Int]
    ) throws(Diagnostic) -> [Int] {
        let isOneForAll = object.initial.count == 1
        let (range, what): (ClosedRange<Int>, String) =
            switch object.kind {
            case .semaphore: (0...Int(Int32.max), "a semaphore's value")
            case .built(let recipe): Self.numbers(of: recipe)
            case .cell, .atomic, .list, .mutex, .readWriteLock, .condition: (Int.min...Int.max, "the value")
            }
        var values: [Int] = []
        for value in object.initial { values.append(try self.value(of: value, arguments, in: range, what)) }
        switch object.kind {
        case .cell, .atomic, .semaphore:
            if isOneForAll { return Array(repeating: values[0], count: count) }
            if values.count != count {
                throw diagnostic(ValueProblem.wrongNumberOfValues(values.count, count), object.site)
            }
        case .list, .mutex, .readWriteLock, .condition, .built: break
        }
        return values
    }

    /// The range of the number with which an object built by the recipe can be declared, and its name in messages.
    private static func numbers(of recipe: Recipe) -> (ClosedRange<Int>, String) {
        guard let number = recipe.number else { return (0...0, "the number") }
        let most = number.isOfThreads ? Limits.threads : Int(Int32.max)
        return (number.least...most, "\(recipe.noun)'s \(number.name)")
    }

    /// The element of a mutex array that the condition uses; 0 for all other objects.
    private func mutexElement(of condition: Object, _ configuration: Configuration) throws(Diagnostic) -> Int {
        guard let mutex = condition.mutex, let index = mutex.index else { return 0 }
        let last = configuration.elementCounts[mutex.object] - 1
        return try value(of: index, configuration.arguments, in: 0...last, "the subscript")
    }

    private func countThreads(_ configuration: inout Configuration) throws(Diagnostic) {
        for thread in threads {
            var count = 1
            if let size = thread.count {
                count = try value(of: size, configuration.arguments, in: 0...Limits.threads, "the number of threads")
            }
            configuration.threadCounts.append(count)
        }
        if configuration.threadCounts.reduce(0, +) > Limits.threads {
            throw diagnostic(ValueProblem.tooManyThreads, threads.last?.site)
        }
    }

    /// Evaluates a constant.
    ///
    /// - Parameter what: what it is, for messages: "the number of threads".
    private func value(
        of expression: Expression, _ arguments: [Int], in range: ClosedRange<Int>, _ what: String
    ) throws(Diagnostic) -> Int {
        let value: Int
        do throws(ConstantEvaluator.Failure) {
            value = try ConstantEvaluator(arguments: arguments).value(of: expression)
        } catch {
            throw diagnostic(ValueProblem.noResult(error.reason), error.site)
        }
        if !range.contains(value) { throw diagnostic(ValueProblem.outOfBounds(what, value, range), expression.site) }
        return value
    }

    func diagnostic(_ problem: some Problem, _ site: Site?) -> Diagnostic {
        Diagnostic(
            severity: .error, message: problem.message, help: problem.help,
            span: source.wordSpan(at: site ?? Site(line: 1, column: 1)))
    }
}
