import Execution
import Machine
import Recipes
import Trace

/// An object whose behavior is a recipe: for each operation a small program over a lock, conditions and words
/// (`Recipe`). This class interprets that program with base operations of the runtime. `Barrier`, `Latch` and `Once`
/// are thin shells around it.
final class BuiltObject: @unchecked Sendable {
    private let lock: Part
    private let conditions: [Part]
    /// The words of the object, accessed only while the lock is held.
    private let words: UnsafeMutablePointer<Int>
    /// The number that it was created with. 0 if its recipe takes none.
    private let number: Int

    /// An object that is created with a number.
    ///
    /// - Throws: `Misuse` `invalid-value`, if the number is less than the recipe allows.
    convenience init(_ recipe: Recipe, _ name: String?, number: Int, at site: SourceSite) throws {
        if let least = recipe.number?.least, number < least { throw Misuse.recorded(.invalidValue, at: site) }
        self.init(recipe, name, at: site, with: number)
    }

    /// An object that is created without a number.
    ///
    /// - Parameter name: its name in traces. Nil: the recipe's word, such as `once`.
    convenience init(_ recipe: Recipe, _ name: String?, at site: SourceSite) {
        self.init(recipe, name, at: site, with: 0)
    }

    private init(_ recipe: Recipe, _ name: String?, at site: SourceSite, with number: Int) {
        self.number = number
        let names = recipe.partNames(name ?? recipe.word)
        lock = Part(.normalMutex, names.lock, at: site)
        conditions = names.conditions.map { Part(.condition, $0, at: site) }
        if let first = conditions.first { lock.belong(to: first.handle.object) }
        words = .allocate(capacity: max(1, recipe.wordCount))
        words.initialize(repeating: 0, count: max(1, recipe.wordCount))
    }

    deinit { words.deallocate() }

    /// Performs an operation of the object on the calling thread, without allocating memory.
    ///
    /// - Returns: the value with which the operation ends.
    @discardableResult
    func perform(_ operation: Recipe.Operation, at site: SourceSite) throws -> Int {
        var locals = Locals(repeating: 0)
        // Whether the lock must be released if an error is thrown.
        var isLocked = false
        var next = 0
        do {
            while true {
                let instruction = operation.instructions[next]
                next += 1
                switch instruction {
                case .lock:
                    try lock.handle.perform(.lock, at: site)
                    isLocked = true
                case .unlock:
                    isLocked = false
                    try free(at: site)
                case .wait(let condition): _ = try conditions[condition].wait(with: lock, at: site)
                case .broadcast(let condition): try conditions[condition].broadcast(at: site)
                case .set(.word(let word), let value): words[word] = self.value(value, locals)
                case .set(.local(let local), let value): locals[local] = self.value(value, locals)
                case .jump(let target): next = target
                case .jumpUnless(let comparison, let target): if !holds(comparison, locals) { next = target }
                case .finish(let value): return self.value(value, locals)
                }
            }
        } catch {
            if isLocked { try free(at: site) }
            throw error
        }
    }

    /// The local variables of an operation. Their number is `Recipe.mostLocals`.
    private typealias Locals = InlineArray<2, Int>

    // MARK: - Values

    private func value(_ value: Recipe.Value, _ locals: borrowing Locals) -> Int {
        switch value {
        case .constant(let constant): constant
        case .number: number
        case .variable(.word(let word)): words[word]
        case .variable(.local(let local)): locals[local]
        case .sum(let a, let b): self.value(a, locals) + self.value(b, locals)
        case .difference(let a, let b): self.value(a, locals) - self.value(b, locals)
        }
    }

    private func holds(_ comparison: Recipe.Comparison, _ locals: borrowing Locals) -> Bool {
        switch comparison {
        case .equal(let a, let b): value(a, locals) == value(b, locals)
        case .less(let a, let b): value(a, locals) < value(b, locals)
        }
    }

    // MARK: - Base operations

    private func free(at site: SourceSite) throws { try lock.handle.perform(.unlock, at: site) }
}
