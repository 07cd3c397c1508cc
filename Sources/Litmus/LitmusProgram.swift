import CLitmus
import LabProgram
import LabSyntax

/// A `.lab` program, compiled for the runner in C (`CLitmus`), which executes it millions of times on real threads:
/// code for each thread, and the layout of the memory of one execution.
package struct LitmusProgram: Sendable {
    /// The names of the threads. Elements of an array have names of their own.
    package let threads: [String]
    /// The values that distinguish outcomes.
    package let observed: [ObservedValue]
    /// By thread.
    let bodies: [Code]
    let finally: Code
    /// The offset in bytes and the initial value of each cell.
    let cells: [(offset: Int, value: Int)]
    /// The offsets in bytes of the observed values.
    let observedOffsets: [Int]
    /// The size of the memory, in bytes.
    let bytes: Int

    /// - Throws: a diagnostic of something that litmus runs do not support.
    package init(_ program: Program, _ configuration: Configuration) throws(Diagnostic) {
        try program.requireRunnable(configuration)
        let layout = CellLayout(configuration, users: program.users(configuration))
        let source = program.source
        let most = CLITMUS_MOST_INSTANCE_BYTES
        if layout.bytes > most, let last = program.objects.last {
            throw Unsupported.tooMuchMemory(layout.bytes, most: most).diagnostic(at: last.site, in: source)
        }
        observed = program.observedValues(configuration)
        let mostValues = CLITMUS_MOST_OBSERVED
        if observed.count > mostValues, let last = program.objects.last {
            throw Unsupported.tooManyValues(observed.count, most: mostValues).diagnostic(at: last.site, in: source)
        }
        var threads: [String] = []
        var bodies: [Code] = []
        for (number, thread) in program.threads.enumerated() {
            for index in 0..<configuration.threadCounts[number] {
                threads.append(thread.count == nil ? thread.name : "\(thread.name)[\(index)]")
                var compiler = BodyCompiler(program, configuration, layout, index: index)
                try compiler.compile(thread.body, at: thread.site)
                bodies.append(compiler.code)
            }
        }
        var compiler = BodyCompiler(program, configuration, layout, index: 0)
        try compiler.compile(program.finally, at: Site(line: 1, column: 1))
        self.threads = threads
        self.bodies = bodies
        finally = compiler.code
        bytes = layout.bytes
        cells = zip(layout.offsets, program.initialValues(configuration)).map { ($0, $1) }
        observedOffsets = observed.map { layout.offsets[$0.element] }
    }
}

extension Program {
    /// Throws a diagnostic if the program has no threads or too many, or runs a built-in scenario.
    fileprivate func requireRunnable(_ configuration: Configuration) throws(Diagnostic) {
        let start = Site(line: 1, column: 1)
        if let builtIn { throw Unsupported.builtIn.diagnostic(at: builtIn.site, in: source) }
        let count = configuration.threadCounts.reduce(0, +)
        if count == 0 { throw Unsupported.noThreads.diagnostic(at: threads.first?.site ?? start, in: source) }
        let most = CLITMUS_MOST_THREADS
        if count > most, let last = threads.last {
            throw Unsupported.tooManyThreads(count, most: most).diagnostic(at: last.site, in: source)
        }
    }

    /// The initial values by element; 0 for objects without a value, such as mutexes.
    fileprivate func initialValues(_ configuration: Configuration) -> [Int] {
        objects.indices.flatMap { object -> [Int] in
            let values = objects[object].kind.valueType == nil ? [] : configuration.initialValues[object]
            let count = configuration.elementCounts[object]
            return values + Array(repeating: 0, count: count - values.count)
        }
    }
}
