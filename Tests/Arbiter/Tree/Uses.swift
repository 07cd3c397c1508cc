/// The names that a program uses: of objects, parameters and variables, and of functions.
struct Uses {
    private(set) var names: Set<String> = []
    private(set) var functions: Set<String> = []
    private let tree: Tree

    init(of tree: Tree) {
        self.tree = tree
        for thread in tree.threads { add(thread.body) }
        add(tree.finally)
        for claim in tree.claims { add(claim) }
    }

    private mutating func add(_ claim: Tree.Claim) {
        switch claim.kind {
        case .always(let claim), .never(let claim), .sometimes(let claim), .possible(let claim), .invariant(let claim),
            .eventually(let claim):
            add(claim)
        case .outcomes(let places, _): for place in places { add(place) }
        case .findings: break
        }
    }

    private mutating func add(_ body: [Statement]) { for statement in body { add(statement) } }

    private mutating func add(_ place: Place) {
        names.insert(place.object)
        if let index = place.index { add(index) }
    }

    private mutating func add(_ statement: Statement) {
        switch statement {
        case .declare(_, let value), .assign(_, let value), .evaluate(let value), .await(let value),
            .assert(let value):
            add(value)
        case .write(let place, let value), .increase(let place, let value):
            add(place)
            add(value)
        case .act(_, let place): add(place)
        case .block(_, let place, let body):
            add(place)
            add(body)
        case .branch(let condition, let body, let other):
            add(condition)
            add(body)
            add(other)
        case .loop(let condition, let body), .times(let condition, let body), .count(_, _, let condition, let body):
            add(condition)
            add(body)
        case .giveBack(let value): if let value { add(value) }
        case .leave, .next, .sleep, .yield, .progress, .life: break
        }
    }

    private mutating func add(_ value: Expression) {
        switch value {
        case .number, .truth, .index, .choose: break
        case .local(let name), .parameter(let name): names.insert(name)
        case .read(let place), .attempt(_, let place), .permits(let place): add(place)
        case .update(_, let place, let value):
            add(place)
            add(value)
        case .compareExchange(let place, let old, let new), .weakCompareExchange(let place, let old, let new):
            add(place)
            add(old)
            add(new)
        case .call(let name, let values, _):
            for value in values { add(value) }
            guard functions.insert(name).inserted, let function = tree.functions.first(where: { $0.name == name })
            else { return }
            add(function.body)
        case .binary(_, let left, let right), .and(let left, let right), .or(let left, let right):
            add(left)
            add(right)
        case .not(let part): add(part)
        }
    }
}
