/// Translates the body of one thread.
struct Translator {
    private let names: Names
    private let index: Int
    private var code = Code()
    private var scopes: [[String: Int]] = [[:]]
    private var loops: [Loop] = []
    /// What is to be unlocked when blocks are left, the innermost last.
    private var cleanups: [(Statement.Mode, Place)] = []
    private var calls: [Call] = []
    private var asserts: AssertNumbers
    private var isWatching = false

    private struct Loop {
        var cleanups: Int
        var leaving: [Int] = []
        var next: [Int] = []
    }

    private struct Call {
        var cleanups: Int
        var ends: [Int] = []
    }

    /// Numbers assertions in the order in which they stand in the text.
    final class AssertNumbers {
        var numbers: [Statement: Int] = [:]
        var texts: [String] = []

        func number(of statement: Statement, _ condition: Expression) -> Int {
            let text = condition.text()
            if let known = texts.firstIndex(of: text) { return known }
            texts.append(text)
            return texts.count - 1
        }
    }

    init(_ names: Names, index: Int, _ asserts: AssertNumbers) {
        self.names = names
        self.index = index
        self.asserts = asserts
    }

    static func code(of body: [Statement], _ names: Names, index: Int, _ asserts: AssertNumbers) -> Code {
        var translator = Translator(names, index: index, asserts)
        translator.step(.start)
        translator.body(body)
        translator.emit(.end)
        return translator.finished
    }

    /// The main thread: it joins, runs `finally`, looks at all memory, and exits.
    static func main(_ tree: Tree, _ names: Names, _ asserts: AssertNumbers) -> Code {
        var translator = Translator(names, index: 0, asserts)
        let named = Set(tree.lives.filter { $0.life != .spawn }.map(\.name))
        let spawned = Set(tree.lives.filter { $0.life == .spawn }.map(\.name))
        for thread in tree.threads where !spawned.contains(thread.name) && !named.contains(thread.name) {
            for number in names.threads(thread.name) { translator.step(.join, number) }
        }
        translator.body(tree.finally)
        if !tree.claims.isEmpty {
            translator.step(.inspect)
            translator.emit(.review)
        }
        translator.step(.exit)
        translator.emit(.end)
        return translator.finished
    }

    /// A whole body, out of which a `return` can lead.
    private mutating func body(_ statements: [Statement]) {
        calls.append(Call(cleanups: 0))
        block(statements)
        for end in calls.removeLast().ends { land(end) }
    }

    private var finished: Code {
        var code = code
        code.depth = 12
        return code
    }

    // MARK: - Code

    @discardableResult private mutating func emit(_ instruction: Code.Instruction) -> Int {
        code.instructions.append(instruction)
        return code.instructions.count - 1
    }

    private mutating func land(_ jump: Int) {
        let here = code.instructions.count
        switch code.instructions[jump] {
        case .jump: code.instructions[jump] = .jump(here)
        case .jumpIfFalse: code.instructions[jump] = .jumpIfFalse(here)
        case .jumpKeeping(_, let kept): code.instructions[jump] = .jumpKeeping(here, kept)
        default: preconditionFailure("not a jump")
        }
    }

    private mutating func step(_ kind: Code.Step.Kind, _ object: Int = 0) {
        emit(.step(Code.Step(kind: kind, object: object)))
    }

    /// A step on a place, with its values behind the element.
    private mutating func step(_ kind: Code.Step.Kind, _ place: Place, _ values: [Expression] = []) {
        var step = Code.Step(kind: kind, object: names.object(place.object))
        step.isWatching = isWatching
        switch place.index {
        case nil: break
        case .number(let element): step.object += element
        case .some(let element):
            expression(element)
            step.isElement = true
        }
        for value in values { expression(value) }
        emit(.step(step))
    }

    private mutating func declare(_ name: String) -> Int {
        scopes[scopes.count - 1][name] = code.variables
        code.variables += 1
        return code.variables - 1
    }

    private func variable(_ name: String) -> Int {
        for scope in scopes.reversed() { if let slot = scope[name] { return slot } }
        preconditionFailure("no variable \(name)")
    }

    // MARK: - Statements

    private mutating func block(_ statements: [Statement]) {
        scopes.append([:])
        let first = code.variables
        for statement in statements { self.statement(statement) }
        if code.variables > first { emit(.forget(first..<code.variables)) }
        scopes.removeLast()
    }

    private mutating func statement(_ statement: Statement) {
        switch statement {
        case .declare(let name, let value):
            expression(value)
            emit(.set(declare(name)))
        case .assign(let name, let value):
            expression(value)
            emit(.set(variable(name)))
        case .write(let place, let value):
            step(names.isPlain(place.object) ? .write : .store, place, [value])
        case .increase(let place, let value):
            step(.read, place)
            expression(value)
            emit(.binary(.add))
            // The places that are generated have no effects, so their element may be evaluated again: the value goes behind it.
            let slot = code.variables
            code.variables += 1
            emit(.set(slot))
            var write = Code.Step(kind: .write, object: names.object(place.object))
            switch place.index {
            case nil: break
            case .number(let element): write.object += element
            case .some(let element):
                expression(element)
                write.isElement = true
            }
            emit(.get(slot))
            emit(.step(write))
            emit(.forget(slot..<slot + 1))
        case .evaluate(let value):
            expression(value)
            if !isCallWithoutValue(value) { emit(.pop) }
        case .act(let act, let place): self.act(act, place)
        case .block(let mode, let place, let body):
            enter(mode, place)
            cleanups.append((mode, place))
            block(body)
            cleanups.removeLast()
            leave(mode, place)
        case .branch(let condition, let body, let other):
            expression(condition)
            let miss = emit(.jumpIfFalse(0))
            block(body)
            let end = emit(.jump(0))
            land(miss)
            block(other)
            land(end)
        case .loop, .count, .times: loop(statement)
        case .leave:
            cleanUp(to: loops[loops.count - 1].cleanups)
            loops[loops.count - 1].leaving.append(emit(.jump(0)))
        case .next:
            cleanUp(to: loops[loops.count - 1].cleanups)
            loops[loops.count - 1].next.append(emit(.jump(0)))
        case .giveBack(let value):
            if let value { expression(value) }
            cleanUp(to: calls[calls.count - 1].cleanups)
            calls[calls.count - 1].ends.append(emit(.jump(0)))
        case .await(let condition):
            emit(.beginAwait)
            let again = code.instructions.count
            isWatching = true
            expression(condition)
            isWatching = false
            emit(.repeatAwait(again))
        case .assert(let condition):
            expression(condition)
            emit(.assert(asserts.number(of: statement, condition)))
        case .sleep(let time): step(.sleep(time))
        case .yield: step(.yield)
        case .progress: emit(.progress)
        case .life(let life, let name, let element):
            let kind: Code.Step.Kind = life == .spawn ? .spawn : life == .join ? .join : .detach
            let numbers = names.threads(name)
            for number in element.map({ [numbers[$0]] }) ?? numbers { step(kind, number) }
        }
    }

    private mutating func act(_ act: Statement.Act, _ place: Place) {
        let kind: Code.Step.Kind =
            switch act {
            case .lock: .lock
            case .unlock: .unlock
            case .readLock: .readLock
            case .writeLock: .writeLock
            case .unlockShared: .unlockShared
            case .wait: .wait
            case .signal: .signal
            case .broadcast: .broadcast
            case .take: .take
            case .give: .give
            }
        step(kind, place)
    }

    private mutating func loop(_ statement: Statement) {
        loops.append(Loop(cleanups: cleanups.count))
        switch statement {
        case .loop(let condition, let body):
            let again = code.instructions.count
            expression(condition)
            let end = emit(.jumpIfFalse(0))
            block(body)
            for jump in loops[loops.count - 1].next { land(jump) }
            emit(.jump(again))
            land(end)
        case .count(let name, let first, let last, let body):
            scopes.append([:])
            let slot = declare(name)
            let bound = declare("")
            emit(.push(first))
            expression(last)
            emit(.set(bound))
            emit(.set(slot))
            counting(slot, bound, body)
            scopes.removeLast()
        case .times(let count, let body):
            let slot = code.variables
            code.variables += 2
            emit(.push(0))
            emit(.set(slot))
            expression(count)
            emit(.set(slot + 1))
            counting(slot, slot + 1, body)
        default: preconditionFailure("not a loop")
        }
        for jump in loops.removeLast().leaving { land(jump) }
    }

    /// Counts a variable up to a bound.
    private mutating func counting(_ slot: Int, _ bound: Int, _ body: [Statement]) {
        let again = code.instructions.count
        emit(.get(slot))
        emit(.get(bound))
        emit(.binary(.less))
        let end = emit(.jumpIfFalse(0))
        block(body)
        for jump in loops[loops.count - 1].next { land(jump) }
        emit(.get(slot))
        emit(.push(1))
        emit(.binary(.add))
        emit(.set(slot))
        emit(.jump(again))
        land(end)
    }

    private mutating func enter(_ mode: Statement.Mode, _ place: Place) {
        step(mode == .lock ? .lock : mode == .reading ? .readLock : .writeLock, place)
    }

    private mutating func leave(_ mode: Statement.Mode, _ place: Place) {
        step(mode == .lock ? .unlock : .unlockShared, place)
    }

    private mutating func cleanUp(to count: Int) {
        for (mode, place) in cleanups[count...].reversed() { leave(mode, place) }
    }

    // MARK: - Expressions

    private func isCallWithoutValue(_ value: Expression) -> Bool {
        guard case .call(let name, _, _) = value else { return false }
        return !names.function(name).returnsNumber
    }

    private mutating func expression(_ value: Expression) {
        switch value {
        case .number(let value): emit(.push(value))
        case .truth(let value): emit(.push(value ? 1 : 0))
        case .local(let name): emit(.get(variable(name)))
        case .parameter(let name): emit(.push(names.parameter(name)))
        case .index: emit(.push(index))
        case .read(let place): step(names.isPlain(place.object) ? .read : .load, place)
        case .update(let update, let place, let value): step(.update(update), place, [value])
        case .compareExchange(let place, let old, let new): step(.compareExchange, place, [old, new])
        case .attempt(let attempt, let place): step(attempt.kind, place)
        case .permits(let place): step(.permits, place)
        case .choose(let count): step(.choose(count))
        case .call(let name, let values, _): call(names.function(name), values)
        case .binary(let sign, let left, let right):
            expression(left)
            expression(right)
            emit(.binary(sign))
        case .and(let left, let right): shortcut(left, right, keeping: false)
        case .or(let left, let right): shortcut(left, right, keeping: true)
        case .not(let part):
            expression(part)
            emit(.not)
        }
    }

    private mutating func shortcut(_ left: Expression, _ right: Expression, keeping kept: Bool) {
        expression(left)
        let end = emit(.jumpKeeping(0, kept))
        expression(right)
        land(end)
    }

    /// A function sees only its parameters.
    private mutating func call(_ function: Tree.Function, _ values: [Expression]) {
        for value in values { expression(value) }
        let outer = (scopes, loops)
        (scopes, loops) = ([[:]], [])
        let first = code.variables
        let slots = function.parameters.map { declare($0) }
        for slot in slots.reversed() { emit(.set(slot)) }
        calls.append(Call(cleanups: cleanups.count))
        for statement in function.body { self.statement(statement) }
        for end in calls.removeLast().ends { land(end) }
        if code.variables > first { emit(.forget(first..<code.variables)) }
        (scopes, loops) = outer
    }
}

extension Expression.Try {
    fileprivate var kind: Code.Step.Kind {
        switch self {
        case .lock: .tryLock
        case .take: .tryTake
        case .read: .tryRead
        case .write: .tryWrite
        case .lockFor(let time): .lockFor(time)
        case .takeFor(let time): .takeFor(time)
        case .readFor(let time): .readFor(time)
        case .writeFor(let time): .writeFor(time)
        case .waitFor(let time): .waitFor(time)
        }
    }
}
