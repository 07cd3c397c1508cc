/// Translates the body of one thread.
struct Translator {
    let names: Names
    let index: Int
    var code = Code()
    var scopes: [[String: Int]] = [[:]]
    var loops: [Loop] = []
    /// What is to be unlocked when blocks are left, the innermost last.
    var cleanups: [(Statement.Mode, Place)] = []
    var calls: [Call] = []
    var asserts: AssertNumbers
    var isWatching = false

    struct Loop {
        var cleanups: Int
        var leaving: [Int] = []
        var next: [Int] = []
    }

    struct Call {
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
    mutating func body(_ statements: [Statement]) {
        calls.append(Call(cleanups: 0))
        block(statements)
        for end in calls.removeLast().ends { land(end) }
    }

    var finished: Code {
        var code = code
        code.depth = 12
        return code
    }

    // MARK: - Code

    @discardableResult mutating func emit(_ instruction: Code.Instruction) -> Int {
        code.instructions.append(instruction)
        return code.instructions.count - 1
    }

    mutating func land(_ jump: Int) {
        let here = code.instructions.count
        switch code.instructions[jump] {
        case .jump: code.instructions[jump] = .jump(here)
        case .jumpIfFalse: code.instructions[jump] = .jumpIfFalse(here)
        case .jumpKeeping(_, let kept): code.instructions[jump] = .jumpKeeping(here, kept)
        default: preconditionFailure("not a jump")
        }
    }

    mutating func step(_ kind: Code.Step.Kind, _ object: Int = 0) {
        emit(.step(Code.Step(kind: kind, object: object)))
    }

    /// A step on a place, with its values behind the element.
    mutating func step(_ kind: Code.Step.Kind, _ place: Place, _ values: [Expression] = []) {
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

    mutating func declare(_ name: String) -> Int {
        scopes[scopes.count - 1][name] = code.variables
        code.variables += 1
        return code.variables - 1
    }

    func variable(_ name: String) -> Int {
        for scope in scopes.reversed() { if let slot = scope[name] { return slot } }
        preconditionFailure("no variable \(name)")
    }

    // MARK: - Statements

    mutating func block(_ statements: [Statement]) {
        scopes.append([:])
        let first = code.variables
        for statement in statements { self.statement(statement) }
        if code.variables > first { emit(.forget(first..<code.variables)) }
        scopes.removeLast()
    }

    mutating func statement(_ statement: Statement) {
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

    mutating func act(_ act: Statement.Act, _ place: Place) {
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

    mutating func loop(_ statement: Statement) {
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
    mutating func counting(_ slot: Int, _ bound: Int, _ body: [Statement]) {
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

    mutating func enter(_ mode: Statement.Mode, _ place: Place) {
        step(mode == .lock ? .lock : mode == .reading ? .readLock : .writeLock, place)
    }

    mutating func leave(_ mode: Statement.Mode, _ place: Place) {
        step(mode == .lock ? .unlock : .unlockShared, place)
    }

    mutating func cleanUp(to count: Int) {
        for (mode, place) in cleanups[count...].reversed() { leave(mode, place) }
    }
}
