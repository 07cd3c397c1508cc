/// Expressions: each leaves its value on the stack.
extension Translator {
    func isCallWithoutValue(_ value: Expression) -> Bool {
        guard case .call(let name, _, _) = value else { return false }
        return !names.function(name).returnsNumber
    }

    mutating func expression(_ value: Expression) {
        switch value {
        case .number(let value): emit(.push(value))
        case .truth(let value): emit(.push(value ? 1 : 0))
        case .local(let name): emit(.get(variable(name)))
        case .parameter(let name): emit(.push(names.parameter(name)))
        case .index: emit(.push(index))
        case .read(let place): step(names.isPlain(place.object) ? .read : .load, place)
        case .update(let update, let place, let value): step(.update(update), place, [value])
        case .compareExchange(let place, let old, let new): step(.compareExchange, place, [old, new])
        case .weakCompareExchange(let place, let old, let new): step(.weakCompareExchange, place, [old, new])
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
