import LabProgram
import LabSyntax

/// Why a program cannot be run as a litmus test.
enum Unsupported: Problem {
    /// The program uses objects or operations that litmus lacks; a noun for them, such as "semaphores".
    case objects(String)
    /// The program uses the statement that begins with this word.
    case statement(String)
    case timeLimit
    case builtIn
    case noThreads
    case tooManyThreads(Int, most: Int)
    case tooMuchMemory(Int, most: Int)
    case tooManyValues(Int, most: Int)
    /// The code of a thread is too long.
    case tooLong

    var message: String {
        switch self {
        case .objects(let noun): "litmus does not support \(noun)"
        case .statement(let word): "litmus does not support '\(word)'"
        case .timeLimit: "litmus does not support time limits"
        case .builtIn: "litmus does not support programs that run a built-in scenario"
        case .noThreads: "litmus needs threads that start by themselves"
        case .tooManyThreads(let count, let most): "litmus runs at most \(most) threads, and the program has \(count)"
        case .tooMuchMemory(let bytes, let most):
            "litmus needs \(bytes) bytes for the shared memory of the program, and has \(most)"
        case .tooManyValues(let count, let most):
            "litmus distinguishes outcomes by at most \(most) values, and the program has \(count)"
        case .tooLong: "litmus needs too much code for this thread: functions are copied to the places of their calls"
        }
    }

    var help: String? {
        switch self {
        case .objects, .timeLimit: "it supports atomics, shared cells, plain mutexes, and 'await'"
        case .statement("sleep"): "rounds take less than a microsecond"
        case .statement: "all threads of a round start together, and end before the next round"
        case .tooManyValues: "name those that matter in an 'expect'"
        case .tooMuchMemory: "each value that two threads use has a cache line of its own"
        case .builtIn, .noThreads, .tooManyThreads, .tooLong: nil
        }
    }

    func diagnostic(at site: Site, in source: SourceText) -> Diagnostic {
        Diagnostic(severity: .error, message: message, help: help, span: source.wordSpan(at: site))
    }
}

extension Program.Object.Kind {
    /// Why an object of this kind is not supported. Nil: it is supported.
    var unsupported: Unsupported? {
        switch self {
        case .cell, .atomic, .mutex(.normal): nil
        case .list: .objects("lists")
        case .mutex(.checking): .objects("checking mutexes")
        case .mutex(.recursive): .objects("recursive mutexes")
        case .readWriteLock: .objects("read-write locks")
        case .semaphore: .objects("semaphores")
        case .condition: .objects("conditions")
        case .built(let recipe): .objects(recipe.noun)
        }
    }
}
