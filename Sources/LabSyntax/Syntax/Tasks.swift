import Recipes

extension Syntax {
    /// `task { at most 1 mutex; no sleep; each adder calls add }`: limits for a learner's solution. A program with such
    /// limits is a task.
    package struct TaskDeclaration {
        package var rules: [TaskRule]
        /// The word `task`.
        package var word: Span
    }

    package struct TaskRule {
        package enum Kind {
            case atMost(Int, TaskQuantity)
            /// A forbidden word of the language, as written.
            case no(Name)
            case noBusyWaiting
            /// On every path each thread of this name calls the function.
            case each(thread: Name, calls: Name)
        }

        package var kind: Kind
        package var span: Span
    }
}

/// A countable thing that a task can limit.
package enum TaskQuantity: Equatable, Sendable {
    case threads, functions, parameters
    case shared, atomics, mutexes, readWriteLocks, semaphores, conditions
    case built(Recipe)
    /// Lines of code.
    case lines

    /// The words that name it in a program: first the singular, and last the plural, if there is one.
    package var words: [String] {
        switch self {
        case .threads: ["thread", "threads"]
        case .functions: ["func", "function", "functions"]
        case .parameters: ["parameter", "parameters"]
        case .shared: ["shared"]
        case .atomics: ["atomic", "atomics"]
        case .mutexes: ["mutex", "mutexes"]
        case .readWriteLocks: ["rwlock", "rwlocks"]
        case .semaphores: ["semaphore", "semaphores"]
        case .conditions: ["condition", "conditions"]
        case .built(let recipe): [recipe.word, recipe.word + (recipe.word.hasSuffix("h") ? "es" : "s")]
        case .lines: ["line", "lines"]
        }
    }

    package static var all: [TaskQuantity] {
        [
            .threads, .functions, .parameters, .shared, .atomics, .mutexes, .readWriteLocks, .semaphores, .conditions,
        ] + Recipe.all.map { .built($0) } + [.lines]
    }

    init?(word: String) {
        guard let quantity = Self.all.first(where: { $0.words.contains(word) }) else { return nil }
        self = quantity
    }

    /// For example `1 mutex`, `2 mutexes`.
    package func text(_ number: Int) -> String {
        switch self {
        case .shared: "\(number) shared variable\(number == 1 ? "" : "s")"
        case .functions: "\(number) function\(number == 1 ? "" : "s")"
        default: "\(number) \(number == 1 ? words[0] : words[words.count - 1])"
        }
    }
}
