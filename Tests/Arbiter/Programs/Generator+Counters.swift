/// Programs that count: what the counters hold decides nothing, and grows in each round of the loops.
extension Generator {
    package static func counting(seed: UInt64) -> Tree {
        var tree = program(seed: seed)
        var generator = Generator(random: .init(seed: seed ^ 0xC0))
        tree.objects += [.init(name: "count0", kind: .atomic), .init(name: "count1", kind: .atomic)]
        // Their values at the end are no claim's.
        tree.claims.removeAll { if case .findings = $0.kind { false } else { true } }
        for number in tree.threads.indices {
            tree.threads[number].body = generator.counted(tree.threads[number].body, inLoop: false)
        }
        if generator.chance(60) {
            let round: [Statement] = [
                .branch(.binary(.equal, .read(Place("a")), .number(generator.number(3))), [.progress], [.yield])
            ]
            let body = [Statement.loop(.truth(true), generator.counted(round, inLoop: true))]
            tree.threads.append(.init(name: "polls", body: body))
        }
        return tree
    }

    /// The statements, with others that count.
    private mutating func counted(_ statements: [Statement], inLoop: Bool) -> [Statement] {
        var list: [Statement] = []
        for statement in statements {
            if inLoop && chance(40) { list.append(count()) }
            switch statement {
            case .loop(let condition, let body): list.append(.loop(condition, counted(body, inLoop: true) + [count()]))
            case .branch(let condition, let body, let otherwise):
                list.append(
                    .branch(condition, counted(body, inLoop: inLoop), counted(otherwise, inLoop: inLoop)))
            default: list.append(statement)
            }
        }
        return list
    }

    private mutating func count() -> Statement {
        let place = Place("count\(number(2))")
        switch number(4) {
        case 0: return .write(place, .binary(.add, .read(place), .number(1)))
        case 1: return .write(place, .binary(.add, .read(Place("count\(number(2))")), .number(2)))
        default: return .evaluate(.update(.add, place, .number(1 + number(3))))
        }
    }
}
