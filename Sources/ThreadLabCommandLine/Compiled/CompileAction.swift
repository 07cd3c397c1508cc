import Arguments
import Text

/// `threadlab cc -- CC ARGUMENT...`
enum CompileAction: Action {
    struct Options: OptionGroup {
        let words: Listed<[String]>
        let flags: Listed<Bool>

        init(_ list: inout OptionList) {
            words = list.any("COMPILER", .text, "After --: the compiler, and its arguments")
            flags = list.flag("flags", "Print what is added to the arguments, and compile nothing")
        }
    }

    static let cName = "cc"
    static let cxxName = "c++"

    static let command = TypedCommand<Options>(
        cName, "Compile a C program, so that it can run under the scheduler",
        discussion: """
            Calls the compiler, clang or gcc, with the arguments that it is given and some more: the program then tells of its \
            accesses to memory, and contains threadlab's runtime. Without threadlab it runs as usual, on real threads. Optimization \
            beyond -O1 is lowered to it: more would remove accesses, and with them what is looked for.

            In a shell: threadlab cc -- clang -g app.c -o app. In a makefile: make CC='threadlab cc -- gcc'. Then 'explore ./app -- ARGUMENTS' searches \
            the program's schedules, and 'run ./app' runs one of them.
            """,
        examples: [Example("cc --flags", "what is added, for a build system that takes flags")])

    static func run(_ arguments: TypedArguments<Options>, in session: Session) throws -> ExitCode {
        try CompilerCall.perform(arguments.words, defaultCompiler: "cc", printsFlags: arguments.flags)
    }
}

/// `threadlab c++ -- CXX ARGUMENT...`
enum CompileCXXAction: Action {
    static let command = TypedCommand<CompileAction.Options>(
        CompileAction.cxxName, "Compile a C++ program, so that it can run under the scheduler",
        discussion: "The same as 'cc', for compilers of C++: make CXX='threadlab c++ -- g++'.",
        examples: [Example("c++ --flags", "what is added")])

    static func run(_ arguments: TypedArguments<CompileAction.Options>, in session: Session) throws -> ExitCode {
        try CompilerCall.perform(arguments.words, defaultCompiler: "c++", printsFlags: arguments.flags)
    }
}
