import Arguments
import Console
import Text

/// `threadlab cc -- CC ARGUMENT...`: compiles a C or C++ program such that it can run under the scheduler.
package enum CompileAction: Action {
    package struct Options: OptionGroup {
        let words: Listed<[String]>
        let flags: Listed<Bool>

        package init(_ list: inout OptionList) {
            words = list.any("COMPILER", .text, "After --: the compiler, and its arguments")
            flags = list.flag("flags", "Print what is added to the arguments, and compile nothing")
        }
    }

    package static let command = TypedCommand<Options>(
        "cc", "Compile a C or C++ program to run under the scheduler",
        discussion: """
            Calls the compiler, clang or gcc, with the arguments that it is given and some more: the program then tells of its \
            accesses to memory, and contains threadlab's runtime. Without threadlab it runs as usual, on real threads. Optimization \
            beyond -O1 is lowered to it: more would remove accesses, and with them what is looked for.

            In a shell: threadlab cc -- clang -g app.c -o app. In a makefile: make CC='threadlab cc -- gcc' CXX='threadlab cc -- g++'. Then 'explore ./app -- ARGUMENTS' searches \
            the program's schedules, and 'run ./app' runs one of them.
            """,
        examples: [Example("cc --flags", "what is added, for a build system that takes flags")])

    package static func run(_ arguments: TypedArguments<Options>, in session: Session) throws -> ExitCode {
        try CompilerCall.perform(arguments.words, printsFlags: arguments.flags, gate: session.gate)
    }
}
