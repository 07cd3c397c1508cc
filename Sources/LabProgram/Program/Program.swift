import LabSyntax
import Machine
import Recipes

/// A `.lab` file that has been read and is valid: names are resolved to numbers, and the types of values are known. The
/// module `LabExecution` runs it.
///
/// The number of an object, thread, function or parameter is its index in the array here. The declaration
/// `mutex fork[5]` is one object. Its number of elements can depend on parameters: `configured(with:)` determines it.
package struct Program: Sendable {
    /// The scenario's name, as the file gives it.
    package var title: String
    /// The lines of the `///` comment before it, without the slashes.
    package var description: [String]
    package var source: SourceText
    package var parameters: [Parameter] = []
    package var objects: [Object] = []
    package var functions: [Function] = []
    package var threads: [Thread] = []
    /// The code of the main thread after it has joined its threads.
    package var finally: Body?
    /// The built-in scenario that the file runs instead of threads and objects of its own.
    package var builtIn: BuiltInRun?
    /// The compiled program that the file runs instead of threads and objects of its own.
    package var call: ProgramCall?
    package var claims: [Claim] = []
    /// The intended behavior of some of its functions.
    package internal(set) var specification: Specification?
    /// The limits for a solution, if the file is a task.
    package var task: Task?
    /// Whether a thread or `finally` can execute `progress`. If so, the program may run forever.
    package var hasProgress = false
    /// The memory model of the runs that the program is now about.
    package private(set) var model = MemoryModel.sc
    /// Whether claims that name no memory model are about runs under `model`, too.
    package private(set) var includesGeneralClaims = true

    package init(title: String, description: [String], source: SourceText) {
        self.title = title
        self.description = description
        self.source = source
    }
}

extension Program {
    /// The same program with runs under this memory model.
    ///
    /// - Parameter alone: whether only the claims that name the model count.
    package func under(_ model: MemoryModel, alone: Bool = false) -> Program {
        var program = self
        program.model = model
        program.includesGeneralClaims = !alone
        return program
    }
}

extension Program {
    /// `parameter capacity = 1 in 1...8`: a value that the command line can set.
    package struct Parameter: Sendable {
        package var name: String
        /// The `///` comment before it.
        package var help: String
        package var type: ValueType
        package var defaultValue: Int
        /// The values that are accepted. Nil: every value of the type.
        package var range: ClosedRange<Int>?
        package var site: Site
    }

    /// A shared variable, a lock and so on, or an array of them.
    package struct Object: Sendable {
        package enum Kind: Equatable, Sendable {
            /// Plain memory, declared by `shared`. Accesses that nothing orders are a data race.
            case cell(ValueType)
            case atomic(ValueType)
            /// Also plain memory: a list is one memory location, whatever its length. A change is one write, and any
            /// other access is one read.
            case list(of: ValueType)
            case mutex(MutexKind)
            case readWriteLock(writersFirst: Bool)
            case semaphore
            case condition
            case built(Recipe)
        }

        package var name: String
        package var kind: Kind
        /// The number of elements, a constant. Nil: a single object, which takes no subscript.
        package var count: Expression?
        /// Constants: the initial value of a shared variable, an atomic or a semaphore, or one for each element; the
        /// initial values of a list; the number in parentheses of a built object. Empty for the others.
        package var initial: [Expression] = []
        /// A condition's mutex. Its subscript, if any, is a constant.
        package var mutex: Place?
        /// Whether the word `given` precedes its declaration: in a task, only given code may change its value.
        package var isGiven = false
        package var site: Site
    }

    /// A function. No function calls itself, directly or through others.
    package struct Function: Sendable {
        package struct Parameter: Sendable {
            /// The name, which is also the label in calls.
            package var name: String
            package var type: ValueType
        }

        package var name: String
        /// The parameters, which are the first slots of the body.
        package var parameters: [Parameter]
        /// The type of the result. Nil: the function returns nothing.
        package var result: ValueType?
        package var body: Body
        package var isGiven = false
        package var site: Site
    }

    /// A declared thread, or an array of them.
    package struct Thread: Sendable {
        package var name: String
        /// The number of elements, a constant. Nil: a single thread.
        package var count: Expression?
        package var body: Body
        /// Whether it exists when the program starts: no `spawn` names it.
        package var startsByItself: Bool
        /// Whether the main thread joins it before `finally`: it starts by itself, and no `join` or `detach` names it.
        package var isJoinedByMain: Bool
        package var isGiven = false
        package var site: Site
    }

    /// The code of a thread, of a function or of `finally`.
    package struct Body: Sendable {
        /// The storage of a local variable.
        package struct Slot: Sendable {
            /// The variable's name. Nil: it stores a value that has no name, such as the bound of a loop.
            package var name: String?
            package var type: ValueType
        }

        /// The slots of all variables, including those of nested blocks. None is used for two variables.
        package var slots: [Slot] = []
        package var block = Block()
        /// The maximum number of slots in use when it runs: its own, and those of the chain of calls that has the most.
        package var stackedSlots = 0
    }

    /// `run producer-consumer(capacity: 1)`.
    package struct BuiltInRun: Sendable {
        package struct Argument: Sendable {
            package enum Value: Sendable {
                /// One of the words that the parameter accepts, such as `conditions`.
                case word(String)
                /// A constant.
                case value(Expression)
            }

            package var name: String
            package var value: Value
            package var site: Site
        }

        package var scenario: String
        package var arguments: [Argument]
        package var site: Site
    }

    /// `run "./bank"(arguments: "-n 2", input: "amounts.txt")`: a compiled program and its inputs.
    package struct ProgramCall: Sendable {
        /// An input that the file gives to the program.
        package enum Gift: String, CaseIterable, Sendable {
            /// The arguments, split into words as by a shell.
            case arguments
            /// The file that is its standard input.
            case input
            /// Environment variables, each as `NAME=VALUE`, split as by a shell.
            case environment
        }

        /// A path relative to the folder of the `.lab` file, like all paths here.
        package var path: String
        package var gifts: [Gift: String] = [:]

        /// Prefixes of variables that make a process load code other than its program's. The loader, the C library's
        /// character conversions, and threadlab's runtime read them.
        private static let loading = ["LD_", "GCONV_PATH", "THREADLAB_"]

        /// The variable's name, if a word `NAME=VALUE` sets a variable with one of these prefixes; otherwise nil.
        static func loadingVariable(_ word: String) -> String? {
            let name = word.prefix { $0 != "=" }
            return loading.contains { name.hasPrefix($0) } ? String(name) : nil
        }
    }

    /// Whether some thread, or the main thread in `finally`, can execute a `progress`.
    func findsProgress() -> Bool {
        let functions = functionsWithProgress
        return (threads.map(\.body) + [finally].compactMap(\.self)).contains {
            Self.makesProgress($0.block, functions)
        }
    }

    /// For each function, whether it, or a function that it calls, contains `progress`. Examines each function once: in
    /// a chain of functions that each call the next one twice, the number of paths is exponential.
    var functionsWithProgress: [Bool] {
        var known = [Bool](repeating: false, count: functions.count)
        for function in CallOrder(functions.map { CalledFunctions.of($0.body) }).calleesFirst {
            known[function] = Self.makesProgress(functions[function].body.block, known)
        }
        return known
    }

    /// Whether the block, or a function that it calls, contains `progress`.
    ///
    /// - Parameter functions: for each function, whether it does.
    static func makesProgress(_ block: Block, _ functions: [Bool]) -> Bool {
        var found = false
        ProgramWalk.statements(block) { statement in
            if case .progress = statement.kind { found = true }
            ProgramWalk.expressions(of: statement) { expression in
                if case .call(let function, _) = expression.kind, functions[function] { found = true }
            }
        }
        return found
    }
}
