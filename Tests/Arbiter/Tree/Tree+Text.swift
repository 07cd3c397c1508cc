/// The program as text. Only objects and functions that are used are declared.
extension Tree {
    package var text: String {
        let used = Uses(of: self)
        var lines = ["scenario \"made up\""]
        for (name, value) in parameters.sorted(by: { $0.key < $1.key }) where used.names.contains(name) {
            lines.append("parameter \(name) = \(value) in 0...9")
        }
        lines += usedObjects.map(\.declaration)
        for function in functions where used.functions.contains(function.name) {
            let result = function.returnsNumber ? " -> Int" : ""
            lines.append("func \(function.name)(\(function.parameters.joined(separator: ", ")))\(result) {")
            lines += function.body.flatMap { $0.lines(1) } + ["}"]
        }
        for thread in threads {
            lines.append("thread \(thread.name)\(thread.count.map { "[\($0)]" } ?? "") {")
            lines += thread.body.flatMap { $0.lines(1) } + ["}"]
        }
        if !finally.isEmpty { lines += ["finally {"] + finally.flatMap { $0.lines(1) } + ["}"] }
        lines += claims.map(\.text)
        return lines.joined(separator: "\n") + "\n"
    }

    /// Those that something names, in the order of declaration; an array before its elements.
    package var usedObjects: [Object] {
        let used = Uses(of: self)
        var names = used.names
        for object in objects where names.contains(object.name) {
            if case .condition(let mutex) = object.kind { names.insert(mutex) }
        }
        return objects.filter { names.contains($0.name) }
    }
}

extension Tree.Object {
    fileprivate var declaration: String {
        let name = name + (count.map { "[\($0)]" } ?? "")
        return switch kind {
        case .atomic: "atomic \(name) = \(initial)"
        case .shared: "shared \(name) = \(initial)"
        case .mutex: "mutex \(name)"
        case .recursiveMutex: "recursive mutex \(name)"
        case .checkingMutex: "checking mutex \(name)"
        case .semaphore: "semaphore \(name) = \(initial)"
        case .readWriteLock: "rwlock \(name)"
        case .writersFirstLock: "writersFirst rwlock \(name)"
        case .condition(let mutex): "condition \(name) with \(mutex)"
        }
    }
}

extension Tree.Claim {
    package var text: String {
        if case .invariant = kind, !isBroken { return words }
        return "expect " + (isBroken ? "broken " : "") + words
    }

    /// What is claimed.
    var words: String {
        switch kind {
        case .always(let claim): "always \(claim.text(isClaim: true))"
        case .never(let claim): "never \(claim.text(isClaim: true))"
        case .sometimes(let claim): "sometimes \(claim.text(isClaim: true))"
        case .possible(let claim): "possible \(claim.text(isClaim: true))"
        case .invariant(let claim): "invariant \(claim.text(isClaim: true))"
        case .eventually(let claim): "eventually \(claim.text(isClaim: true))"
        case .outcomes(let places, let rows):
            "outcomes { " + rows.map { row($0, places) }.joined(separator: "; ") + " }"
        case .findings(let kinds): kinds.isEmpty ? "completes" : kinds.joined(separator: ", ")
        }
    }

    func row(_ values: [Int], _ places: [Place]) -> String {
        zip(places, values).map { "\($0.text) == \($1)" }.joined(separator: " && ")
    }
}

extension Place {
    package var text: String { object + (index.map { "[\($0.text())]" } ?? "") }
}

extension Expression {
    /// - Parameter isClaim: whether it is evaluated without steps. Then an atomic is read by its name.
    package func text(isClaim: Bool = false) -> String {
        func inner(_ part: Expression) -> String {
            switch part {
            case .binary, .and, .or: "(\(part.text(isClaim: isClaim)))"
            default: part.text(isClaim: isClaim)
            }
        }
        switch self {
        case .number(let value): return "\(value)"
        case .truth(let value): return "\(value)"
        case .local(let name), .parameter(let name): return name
        case .index: return "index"
        case .read(let place):
            return isClaim || place.object.hasPrefix("x") ? place.text : "\(place.text).load()"
        case .update(let update, let place, let value): return "\(place.text).\(update.rawValue)(\(value.text()))"
        case .compareExchange(let place, let old, let new):
            return "\(place.text).compareExchange(expected: \(old.text()), desired: \(new.text()))"
        case .weakCompareExchange(let place, let old, let new):
            return "\(place.text).weakCompareExchange(expected: \(old.text()), desired: \(new.text()))"
        case .attempt(let attempt, let place): return "\(place.text).\(attempt.text)"
        case .permits(let place): return "\(place.text).value"
        case .choose(let count): return "choose(\(count))"
        case .call(let name, let values, let labels):
            let arguments = zip(labels, values).map { ($0.map { "\($0): " } ?? "") + $1.text() }
            return "\(name)(\(arguments.joined(separator: ", ")))"
        case .binary(let sign, let left, let right): return "\(inner(left)) \(sign.rawValue) \(inner(right))"
        case .and(let left, let right): return "\(inner(left)) && \(inner(right))"
        case .or(let left, let right): return "\(inner(left)) || \(inner(right))"
        case .not(let part): return "!\(inner(part))"
        }
    }
}

extension Expression.Try {
    var text: String {
        switch self {
        case .lock: "tryLock()"
        case .take: "tryWait()"
        case .read: "tryReadLock()"
        case .write: "tryWriteLock()"
        case .lockFor(let time): "lock(for: \(time)ms)"
        case .takeFor(let time), .waitFor(let time): "wait(for: \(time)ms)"
        case .readFor(let time): "readLock(for: \(time)ms)"
        case .writeFor(let time): "writeLock(for: \(time)ms)"
        }
    }
}

extension Statement {
    package func lines(_ depth: Int) -> [String] {
        let indent = String(repeating: "    ", count: depth)
        func block(_ head: String, _ body: [Statement]) -> [String] {
            ["\(indent)\(head) {"] + body.flatMap { $0.lines(depth + 1) } + ["\(indent)}"]
        }
        switch self {
        case .declare(let name, let value): return ["\(indent)var \(name) = \(value.text())"]
        case .assign(let name, let value): return ["\(indent)\(name) = \(value.text())"]
        case .write(let place, let value):
            let isPlain = place.object.hasPrefix("x")
            return [indent + place.text + (isPlain ? " = \(value.text())" : ".store(\(value.text()))")]
        case .increase(let place, let value): return ["\(indent)\(place.text) += \(value.text())"]
        case .evaluate(let value): return [indent + value.text()]
        case .act(let act, let place): return ["\(indent)\(place.text).\(act.method)()"]
        case .block(let mode, let place, let body): return block("\(mode.rawValue) \(place.text)", body)
        case .branch(let condition, let body, let other):
            let first = block("if \(condition.text())", body)
            return other.isEmpty ? first : first.dropLast() + block("} else", other)
        case .loop(let condition, let body): return block("while \(condition.text())", body)
        case .count(let name, let first, let last, let body):
            return block("for \(name) in \(first)..<\(last.text())", body)
        case .times(let count, let body): return block("repeat \(count.text())", body)
        case .leave: return ["\(indent)break"]
        case .next: return ["\(indent)continue"]
        case .giveBack(let value): return ["\(indent)return\(value.map { " \($0.text())" } ?? "")"]
        case .await(let condition): return ["\(indent)await \(condition.text())"]
        case .assert(let condition): return ["\(indent)assert \(condition.text())"]
        case .sleep(let time): return ["\(indent)sleep \(time)ms"]
        case .yield: return ["\(indent)yield"]
        case .progress: return ["\(indent)progress"]
        case .life(let life, let name, let element):
            return ["\(indent)\(life.rawValue) \(name)\(element.map { "[\($0)]" } ?? "")"]
        }
    }
}

extension Statement.Act {
    var method: String {
        switch self {
        case .take: "wait"
        case .give: "signal"
        case .unlockShared: "unlock"
        case .lock, .unlock, .readLock, .writeLock, .wait, .signal, .broadcast: rawValue
        }
    }
}
