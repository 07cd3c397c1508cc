import LabSyntax

extension Program {
    /// The intended behavior of some functions if they are called one at a time, from `specification { … }`: functions
    /// with the same names, parameters and results, and variables of their own. It is a program in which a thread for
    /// each function calls it once, so that it can be executed like any program.
    package struct Specification: Sendable {
        /// The specification's program, alone. An array, because a structure cannot contain itself.
        private let programs: [Program]
        /// From the number of a function of the file's program to the number of the specification's thread that calls
        /// the function of the same name.
        package let threads: [Int: Int]

        /// - Parameters:
        ///   - program: the variables and functions of the specification.
        ///   - functions: from the number of a function of the file's program to that of the specification's function
        ///     of the same name.
        init(_ program: Program, _ functions: [Int: Int]) {
            var program = program
            var threads: [Int: Int] = [:]
            for (function, counterpart) in functions.sorted(by: { $0.key < $1.key }) {
                threads[function] = program.threads.count
                program.threads.append(Self.caller(of: counterpart, program.functions[counterpart]))
            }
            programs = [program]
            self.threads = threads
        }

        /// The specification's program, whose threads call one function each. A thread's first slots are the arguments,
        /// and the next one is the result.
        package var program: Program { programs[0] }

        /// A thread that calls the function of this number.
        private static func caller(of number: Int, _ function: Function) -> Thread {
            let arguments = function.parameters.indices.map { slot in
                Expression(kind: .slot(slot), type: function.parameters[slot].type, site: function.site)
            }
            let call = Expression(
                kind: .call(function: number, arguments), type: function.result, site: function.site)
            let statement: Statement.Kind =
                function.result == nil ? .evaluate(call) : .set(slot: function.parameters.count, call)
            var body = Body()
            body.slots =
                function.parameters.map { Body.Slot(name: $0.name, type: $0.type) }
                + [Body.Slot(name: nil, type: function.result ?? .integer)]
            body.block = Block(statements: [Statement(kind: statement, site: function.site)])
            return Thread(
                name: function.name, count: nil, body: body, startsByItself: false, isJoinedByMain: false,
                site: function.site)
        }
    }
}
