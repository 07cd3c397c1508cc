/// Makes a program smaller as long as it still shows something.
package struct Shrinker {
    private let shows: (Tree) -> Bool
    private var patience: Int

    /// - Parameters:
    ///   - shows: whether a program still shows it.
    ///   - patience: how many programs are tried.
    package static func shrink(_ tree: Tree, patience: Int = 2000, where shows: @escaping (Tree) -> Bool) -> Tree {
        var shrinker = Shrinker(shows: shows, patience: patience)
        var best = tree
        while let smaller = shrinker.smaller(best) { best = smaller }
        return best
    }

    private mutating func smaller(_ tree: Tree) -> Tree? {
        for candidate in tree.smaller where candidate.size < tree.size {
            patience -= 1
            if patience < 0 { return nil }
            if shows(candidate) { return candidate }
        }
        return nil
    }
}

extension Tree {
    var size: Int { text.utf8.count + 20 * threads.count }

    /// Programs with a little less in them, the smallest steps last.
    var smaller: [Tree] {
        var all: [Tree] = []
        func with(_ change: (inout Tree) -> Void) {
            var tree = self
            change(&tree)
            all.append(tree)
        }
        for number in threads.indices {
            with { $0.remove(thread: number) }
            if threads[number].count != nil { with { $0.threads[number].count = nil } }
            for body in threads[number].body.smaller { with { $0.threads[number].body = body } }
        }
        for number in functions.indices {
            for body in functions[number].body.smaller { with { $0.functions[number].body = body } }
        }
        for body in finally.smaller { with { $0.finally = body } }
        for number in claims.indices {
            with { $0.claims.remove(at: number) }
            for claim in claims[number].kind.smaller { with { $0.claims[number].kind = claim } }
        }
        for number in objects.indices where objects[number].initial != 0 { with { $0.objects[number].initial = 0 } }
        return all
    }

    /// Statements that name the thread go with it.
    private mutating func remove(thread number: Int) {
        let name = threads.remove(at: number).name
        for number in threads.indices { threads[number].body = threads[number].body.without(thread: name) }
        finally = finally.without(thread: name)
    }
}

extension Tree.Claim.Kind {
    fileprivate var smaller: [Tree.Claim.Kind] {
        switch self {
        case .always(let claim): claim.parts.map { .always($0) }
        case .never(let claim): claim.parts.map { .never($0) }
        case .sometimes(let claim): claim.parts.map { .sometimes($0) }
        case .possible(let claim): claim.parts.map { .possible($0) }
        case .invariant(let claim): claim.parts.map { .invariant($0) }
        case .eventually(let claim): claim.parts.map { .eventually($0) }
        case .outcomes(let places, let rows):
            rows.count < 2
                ? []
                : rows.indices.map { number in
                    .outcomes(places, rows.enumerated().filter { $0.offset != number }.map(\.element))
                }
        case .findings(let kinds): kinds.isEmpty ? [] : [.findings([])]
        }
    }
}

extension Expression {
    /// Expressions inside, of the same type.
    fileprivate var parts: [Expression] {
        switch self {
        case .and(let left, let right), .or(let left, let right): [left, right]
        case .not(let part): [part]
        default: []
        }
    }

    /// Simpler ones of the same type.
    fileprivate var simpler: [Expression] {
        switch self {
        case .number, .truth: []
        case .index, .parameter, .permits, .choose, .call, .local: [.number(0), .number(1)]
        case .read, .update: [.number(0), .number(1)]
        case .binary(let sign, let left, let right):
            left.simpler.map { .binary(sign, $0, right) } + right.simpler.map { .binary(sign, left, $0) }
                + (isTruth ? [.truth(true), .truth(false)] : [.number(0), .number(1)])
        case .and, .or: parts + [.truth(true), .truth(false)]
        case .not(let part): [part, .truth(true), .truth(false)] + part.simpler.map { .not($0) }
        case .compareExchange, .weakCompareExchange, .attempt: [.truth(true), .truth(false)]
        }
    }

    private var isTruth: Bool {
        guard case .binary(let sign, _, _) = self else { return false }
        return ![.add, .subtract, .multiply].contains(sign)
    }
}

extension [Statement] {
    fileprivate func without(thread name: String) -> [Statement] {
        compactMap { statement in
            if case .life(_, name, _) = statement { return nil }
            return statement.replacing(statement.bodies.map { $0.without(thread: name) })
        }
    }

    /// Lists with a statement less, with one replaced by what is in it, or by a simpler one.
    fileprivate var smaller: [[Statement]] {
        var all: [[Statement]] = []
        for place in indices {
            func with(_ statements: [Statement]) { all.append(self[..<place] + statements + self[(place + 1)...]) }
            let statement = self[place]
            with([])
            for body in statement.bodies where !body.isEmpty { with(body) }
            for (number, body) in statement.bodies.enumerated() {
                for smaller in body.smaller {
                    var bodies = statement.bodies
                    bodies[number] = smaller
                    with([statement.replacing(bodies)])
                }
            }
            for simpler in statement.simpler { with([simpler]) }
        }
        return all
    }
}

extension Statement {
    fileprivate func replacing(_ bodies: [[Statement]]) -> Statement {
        switch self {
        case .block(let mode, let place, _): .block(mode, place, bodies[0])
        case .branch(let condition, _, _): .branch(condition, bodies[0], bodies[1])
        case .loop(let condition, _): .loop(condition, bodies[0])
        case .count(let name, let first, let last, _): .count(name, first, last, bodies[0])
        case .times(let count, _): .times(count, bodies[0])
        case .declare, .assign, .write, .increase, .evaluate, .act, .leave, .next, .giveBack, .await, .assert, .sleep,
            .yield, .progress, .life:
            self
        }
    }

    fileprivate var simpler: [Statement] {
        switch self {
        case .declare(let name, let value): value.simpler.map { .declare(name, $0) }
        case .assign(let name, let value): value.simpler.map { .assign(name, $0) }
        case .write(let place, let value):
            value.simpler.map { .write(place, $0) } + place.simpler.map { .write($0, value) }
        case .increase(let place, let value): place.simpler.map { .increase($0, value) }
        case .evaluate: [.yield]
        case .branch(let condition, let body, let other): condition.simpler.map { .branch($0, body, other) }
        case .loop(let condition, let body): condition.simpler.map { .loop($0, body) }
        case .times(let count, let body): count.simpler.map { .times($0, body) }
        case .assert(let condition): condition.simpler.map { .assert($0) }
        case .await(let condition):
            if case .and(let left, let right) = condition { [.await(left), .await(right)] } else { [] }
        case .giveBack(let value): value.map { $0.simpler.map { .giveBack($0) } } ?? []
        case .sleep(let time): time > 1 ? [.sleep(1)] : []
        case .block(let mode, let place, let body): place.simpler.map { .block(mode, $0, body) }
        case .count, .act, .leave, .next, .yield, .progress, .life: []
        }
    }
}

extension Place {
    fileprivate var simpler: [Place] { index == .index ? [Place(object, .number(0))] : [] }
}
