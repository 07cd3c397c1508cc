import Arbiter
import Testing

@Suite struct ShrinkerTests {
    /// Whether threadlab reads the program, and the arbiter says that it can end in this way.
    private func ends(_ tree: Tree, in kind: End.Kind) -> Bool {
        guard (try? Subject(tree.text, Rulebook())) != nil else { return false }
        return Judgment(tree, Rulebook())?.ends.contains { $0.kind == kind } ?? false
    }

    @Test(arguments: [End.Kind.deadlock, .misuse, .assertion, .race, .error])
    func `what is left of a program still shows what it was shrunk for, and little else`(_ kind: End.Kind) {
        var shrunk = 0
        for seed in UInt64(1)...200 where shrunk < 3 {
            let tree = Generator.program(seed: seed)
            guard ends(tree, in: kind) else { continue }
            let smallest = Shrinker.shrink(tree) { ends($0, in: kind) }
            #expect(ends(smallest, in: kind))
            #expect(smallest.text.split(separator: "\n").count <= 16, "\(smallest.text)")
            shrunk += 1
        }
        #expect(shrunk == 3)
    }

    @Test func `a program that shows nothing stays as it is`() {
        let tree = Generator.program(seed: 1)
        #expect(Shrinker.shrink(tree) { _ in false } == tree)
    }
}
