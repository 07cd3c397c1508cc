import LabProgram
import Machine
import Recipes

/// Built objects, such as barriers: their recipes (`Recipe`) become instructions wherever the program uses one.
extension Compiler {
    /// The built object to which an operation is applied. It may be an element of a declared array.
    private struct Built {
        /// The number of the declaration.
        var declaration: Int
        /// The object number of the first element's lock.
        var firstLock: Int
        var recipe: Recipe
        var element: Element

        enum Element {
            /// The element's index.
            case known(Int)
            /// The slot that holds the number of the element's lock.
            case inSlot(Int)
        }
    }

    /// The slots of the body that recipes use: one for the element, then the recipe's local variables.
    private var elementSlot: Int { slots - recipeSlots }
    private func slot(ofLocal local: Int) -> Int { elementSlot + 1 + local }

    // MARK: - Operations

    /// Calls a method. Its value, if any, is left on the stack.
    mutating func call(_ method: Int, on place: Program.Place) {
        let object = object(place)
        if !object.elements.isEmpty { emit(.set, elementSlot) }
        guard let built = built(place, !object.elements.isEmpty ? .inSlot(elementSlot) : nil) else { return }
        let method = built.recipe.methods[method]
        perform(method.operation, on: built, yields: method.yieldsTruth)
        if !object.elements.isEmpty { emit(.clear, elementSlot, 1) }
    }

    /// Compiles a block that belongs to a built object.
    mutating func enclosed(_ place: Program.Place, _ block: Program.Block) {
        guard let built = builtOfBlock(place), let around = built.recipe.block else {
            // A constant subscript that is out of bounds: evaluating it ends the run.
            _ = object(place)
            return
        }
        if case .inSlot(let slot) = built.element {
            _ = object(place)
            emit(.set, slot)
        }
        let line = self.line
        perform(around.enter, on: built, yields: true)
        let end = emit(.jumpIfFalse)
        cleanups.append(Cleanup(place: place, kind: .recipe(around.leave)))
        self.block(block)
        cleanups.removeLast()
        self.line = line
        leave(place, around.leave)
        land(end)
    }

    /// Compiles the operation at the end of a block that belongs to a built object.
    mutating func leave(_ place: Program.Place, _ operation: Recipe.Operation) {
        if let built = builtOfBlock(place) { perform(operation, on: built, yields: false) }
    }

    private func builtOfBlock(_ place: Program.Place) -> Built? { built(place, place.slot.map { .inSlot($0) }) }

    /// - Parameter element: where the element's number is, if it is not constant. Nil: it is nowhere.
    /// - Returns: nil if a constant subscript is out of bounds.
    private func built(_ place: Program.Place, _ element: Built.Element?) -> Built? {
        guard case .built(let recipe) = program.objects[place.object].kind else { return nil }
        let first = firstObject[place.object]
        let known = place.index == nil ? first : constantElement(place)
        guard let element = known.map({ .known($0 - first) }) ?? element else { return nil }
        return Built(declaration: place.object, firstLock: first, recipe: recipe, element: element)
    }

    // MARK: - Recipes

    /// Compiles an operation of the recipe.
    ///
    /// - Parameter yields: whether it leaves its result on the stack.
    private mutating func perform(_ operation: Recipe.Operation, on built: Built, yields: Bool) {
        var starts: [Int] = []
        var jumps: [(instruction: Int, target: Int)] = []
        let depth = self.depth
        for instruction in operation.instructions {
            starts.append(code.count)
            // Instructions of a recipe leave nothing on the stack.
            self.depth = depth
            switch instruction {
            case .lock: operate(.lock, on: built)
            case .unlock: operate(.unlock, on: built)
            case .wait(let condition): wait(condition, built)
            case .broadcast(let condition): broadcast(condition, built)
            case .set(let variable, let value): set(variable, value, built)
            case .jump(let target): jumps.append((emit(.jump), target))
            case .jumpUnless(let comparison, let target):
                push(comparison, built)
                jumps.append((emit(.jumpIfFalse), target))
            case .finish(let value):
                if yields { push(value, built) }
                if starts.count < operation.instructions.count {
                    jumps.append((emit(.jump), operation.instructions.count))
                }
            }
        }
        starts.append(code.count)
        for jump in jumps {
            let target = starts[jump.target]
            if target <= jump.instruction { code[jump.instruction].opcode = .jumpBack }
            code[jump.instruction].a = Int32(target)
        }
        self.depth = depth
        if yields { pushed() }
        // Clears unused local variables, so that states that differ only in them are the same.
        if operation.localCount > 0 { emit(.clear, slot(ofLocal: 0), operation.localCount) }
    }

    // MARK: - Its parts

    private mutating func operate(_ kind: Operation.Kind, on built: Built) {
        switch built.element {
        case .known(let element): operate(OperationForm(kind: kind), on: built.firstLock + element)
        case .inSlot(let slot):
            push(slot: slot)
            operate(OperationForm(kind: kind, elements: elements(of: built, from: built.firstLock)))
        }
    }

    private mutating func wait(_ condition: Int, _ built: Built) {
        let first = firstElement(of: condition, built)
        switch built.element {
        case .known(let element):
            operate(OperationForm(kind: .wait, fixed: built.firstLock + element), on: first + element)
        case .inSlot(let slot):
            push(slot: slot, plus: first - built.firstLock)
            push(slot: slot)
            push(Operation.never)
            operate(
                OperationForm(
                    kind: .wait, arguments: .twoValues, elements: elements(of: built, from: first),
                    fixed: built.firstLock))
        }
    }

    private mutating func broadcast(_ condition: Int, _ built: Built) {
        let first = firstElement(of: condition, built)
        switch built.element {
        case .known(let element): operate(OperationForm(kind: .broadcast), on: first + element)
        case .inSlot(let slot):
            push(slot: slot, plus: first - built.firstLock)
            operate(OperationForm(kind: .broadcast, elements: elements(of: built, from: first)))
        }
    }

    /// The object numbers of one part of all elements, such as their locks.
    private func elements(of built: Built, from first: Int) -> ObjectRange {
        ObjectRange(from: first, count: configuration.elementCounts[built.declaration])
    }

    /// The object number of a condition of the first element.
    private func firstElement(of condition: Int, _ built: Built) -> Int {
        builtConditions[built.declaration]![condition]
    }

    private mutating func push(slot: Int, plus offset: Int = 0) {
        emit(.get, slot)
        pushed()
        guard offset != 0 else { return }
        push(offset)
        emit(.add)
    }

    // MARK: - Its values

    private mutating func push(_ value: Recipe.Value, _ built: Built) {
        switch value {
        case .constant(let constant): push(constant)
        case .number: push(configuration.initialValues[built.declaration].first ?? 0)
        case .variable(.local(let local)): push(slot: slot(ofLocal: local))
        case .variable(.word(let word)): access(.word, .wordAt, word, built)
        case .sum(let a, let b): push(a, .add, b, built)
        case .difference(let a, let b): push(a, .subtract, b, built)
        }
    }

    private mutating func push(_ comparison: Recipe.Comparison, _ built: Built) {
        switch comparison {
        case .equal(let a, let b): push(a, .equal, b, built)
        case .less(let a, let b): push(a, .less, b, built)
        }
    }

    private mutating func push(_ a: Recipe.Value, _ opcode: Opcode, _ b: Recipe.Value, _ built: Built) {
        push(a, built)
        push(b, built)
        emit(opcode)
    }

    private mutating func set(_ variable: Recipe.Variable, _ value: Recipe.Value, _ built: Built) {
        push(value, built)
        switch variable {
        case .local(let local): emit(.set, slot(ofLocal: local))
        case .word(let word): access(.setWord, .setWordAt, word, built)
        }
    }

    /// Accesses a word of the element.
    ///
    /// - Parameters:
    ///   - known: the instruction for an element that is known.
    ///   - computed: the instruction for one whose position is on the stack.
    private mutating func access(_ known: Opcode, _ computed: Opcode, _ word: Int, _ built: Built) {
        let first = builtWords[built.declaration]! + word
        let count = built.recipe.wordCount
        switch built.element {
        case .known(let element):
            emit(known, first + element * count)
            pushed()
        case .inSlot(let slot):
            push(slot: slot, plus: -built.firstLock)
            push(count)
            emit(.multiply)
            emit(computed, first)
        }
    }
}
