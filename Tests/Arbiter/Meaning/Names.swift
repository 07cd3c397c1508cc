/// What a program's names stand for.
struct Names {
    private let tree: Tree
    private var firstObject: [String: Int] = [:]
    private var threadNumbers: [String: [Int]] = [:]
    /// By number: the object that it is, or is an element of.
    private(set) var objects: [Tree.Object] = []
    /// By number, from 1; the main thread is 0.
    private(set) var threads: [(declaration: Tree.Declaration, index: Int)] = []

    init(_ tree: Tree) {
        self.tree = tree
        for object in tree.usedObjects {
            firstObject[object.name] = objects.count
            objects += Array(repeating: object, count: object.count ?? 1)
        }
        for thread in tree.threads {
            let count = thread.count ?? 1
            threadNumbers[thread.name] = (0..<count).map { threads.count + 1 + $0 }
            threads += (0..<count).map { (thread, $0) }
        }
    }

    func object(_ name: String) -> Int { firstObject[name]! }
    func threads(_ name: String) -> [Int] { threadNumbers[name]! }
    func parameter(_ name: String) -> Int { tree.parameters[name]! }
    func function(_ name: String) -> Tree.Function { tree.functions.first { $0.name == name }! }
    func isPlain(_ name: String) -> Bool { objects[object(name)].kind == .shared }

    /// The mutex of the condition with this number.
    func mutex(of condition: Int) -> Int {
        guard case .condition(let mutex) = objects[condition].kind else { preconditionFailure("not a condition") }
        return object(mutex)
    }
}

extension Tree {
    /// All statements that start, join or detach a thread.
    var lives: [(life: Statement.Life, name: String)] {
        var found: [(Statement.Life, String)] = []
        func look(_ body: [Statement]) {
            for statement in body {
                if case .life(let life, let name, _) = statement { found.append((life, name)) }
                for part in statement.bodies { look(part) }
            }
        }
        for thread in threads { look(thread.body) }
        for function in functions { look(function.body) }
        look(finally)
        return found
    }
}

extension Statement {
    /// The statements inside.
    package var bodies: [[Statement]] {
        switch self {
        case .block(_, _, let body), .loop(_, let body), .count(_, _, _, let body), .times(_, let body): [body]
        case .branch(_, let body, let other): [body, other]
        case .declare, .assign, .write, .increase, .evaluate, .act, .leave, .next, .giveBack, .await, .assert, .sleep,
            .yield, .progress, .life:
            []
        }
    }
}
