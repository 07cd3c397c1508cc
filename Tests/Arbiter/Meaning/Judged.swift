/// A program, translated for the arbiter.
struct Judged {
    let tree: Tree
    let names: Names
    let codes: [Code]
    let layout: Layout
    /// The numbers of the variables, atomic and plain.
    let variables: [Int]
    /// By object: whether it only counts, as the generator says by its name. It keeps no value: nothing asks for it.
    let isCounter: [Bool]
    /// By object: the number of the first of the bits that stand for accesses to it, two for each thread.
    let firstAccess: [Int]
    let startsByItself: [Bool]
    /// The texts of the assertions.
    let asserts: [String]

    init(_ tree: Tree) {
        self.tree = tree
        let names = Names(tree)
        let asserts = Translator.AssertNumbers()
        var codes = [Translator.main(tree, names, asserts)]
        for thread in names.threads {
            codes.append(Translator.code(of: thread.declaration.body, names, index: thread.index, asserts))
        }
        let wishes = tree.claims.count { if case .eventually = $0.kind { true } else { false } }
        layout = Layout(objects: names.objects.count, wishes: wishes, codes: codes)
        variables = names.objects.indices.filter { [.atomic, .shared].contains(names.objects[$0].kind) }
        isCounter = names.objects.map { $0.name.hasPrefix("count") }
        var next = 0
        var firstAccess = Array(repeating: 0, count: names.objects.count)
        for object in names.objects.indices where names.objects[object].kind == .shared {
            firstAccess[object] = next
            next += 2 * codes.count
        }
        precondition(next < 63, "too many plain variables for the threads")
        self.firstAccess = firstAccess
        let spawned = Set(tree.lives.filter { $0.life == .spawn }.map(\.name))
        startsByItself = [true] + names.threads.map { !spawned.contains($0.declaration.name) }
        self.names = names
        self.codes = codes
        self.asserts = asserts.texts
    }

    /// The beginning: all threads that start by themselves are about to.
    func begin(_ rules: Rulebook) -> World {
        var world = World(program: self, rules: rules, words: Array(repeating: 0, count: layout.size))
        for (number, object) in names.objects.enumerated() { world.words[layout.value(number)] = object.initial }
        world.words[layout.spurious] = rules.spurious
        for thread in codes.indices {
            world.set(thread, Layout.Field.remaining, -1)
            if startsByItself[thread] { world.set(thread, Layout.Field.phase, Layout.Phase.ready) }
        }
        world.observe()
        if world.end == nil { world.runLocalCode(0) }
        return world
    }
}
