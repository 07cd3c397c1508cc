/// All states of a program that its steps and the passing of time lead to, and how its runs can end.
struct StateSpaceGraph {
    struct Edge {
        /// −1: the run ends.
        var target: Int
        /// −1: time passes.
        var thread: Int
        /// Whether the step could have been taken in another way, or need not be taken.
        var isBranch = false
        var isProgress = false
        /// Whether it ends a wait without a reason, which nothing makes happen.
        var isSpurious = false

        var isTime: Bool { thread < 0 }
    }

    let program: Judged
    let rules: Rulebook
    private(set) var states: [[Int]] = []
    private(set) var edges: [[Edge]] = []
    private(set) var ends: Set<End> = []
    /// Whether there are more states than the arbiter looks at.
    private(set) var isTooLarge = false
    /// Whether time passes while threads could step, because what they do only repeats itself.
    private(set) var passesTimeBesideSteps = false
    private var index: [[Int]: Int] = [:]
    private var expanded = 0
    private let limit: Int

    init(_ program: Judged, _ rules: Rulebook, limit: Int) {
        self.program = program
        self.rules = rules
        self.limit = limit
        let world = program.begin(rules)
        if let end = world.end {
            ends.insert(end)
            return
        }
        _ = number(of: world)
        expandAll()
        if !rules.isLateAnytime { letTimePass() }
    }

    func world(_ state: Int) -> World { World(program: program, rules: rules, words: states[state]) }

    private mutating func number(of world: World) -> Int {
        if let known = index[world.words] { return known }
        index[world.words] = states.count
        states.append(world.words)
        edges.append([])
        return states.count - 1
    }

    // MARK: - Steps

    private mutating func expandAll() {
        while expanded < states.count {
            if states.count > limit {
                isTooLarge = true
                return
            }
            expand(expanded)
            expanded += 1
        }
    }

    private mutating func expand(_ state: Int) {
        let world = world(state)
        var isStuck = true
        for thread in program.codes.indices {
            switch world.ability(thread) {
            case .none: break
            case .spurious: follow(world, state, Edge(target: -1, thread: thread, isBranch: true, isSpurious: true), 0)
            case .ways(let ways):
                isStuck = false
                let isBranch = ways > 1 && world.isChoice(thread)
                let isWait = world.isWaiting(thread)
                for way in 0..<ways {
                    // The second way to leave a wait has no reason.
                    let isSpurious = isWait && way == 1
                    follow(
                        world, state,
                        Edge(target: -1, thread: thread, isBranch: isBranch || isSpurious, isSpurious: isSpurious), way)
                }
            }
        }
        if isStuck && !passTime(state) {
            ends.insert(End(.deadlock, world.memory, []))
        }
    }

    private mutating func follow(_ world: World, _ state: Int, _ edge: Edge, _ way: Int) {
        var next = world
        next.take(edge.thread, way: way)
        var edge = edge
        edge.isProgress = next.hasProgressed
        if let end = next.end {
            ends.insert(end)
        } else {
            edge.target = number(of: next)
        }
        edges[state].append(edge)
    }

    // MARK: - Time

    /// Lets time pass to the next limit. False: no thread waits for time.
    private mutating func passTime(_ state: Int) -> Bool {
        var world = world(state)
        guard world.passTime() else { return false }
        let target = number(of: world)
        edges[state].append(Edge(target: target, thread: -1))
        return true
    }

    /// Where what happens only repeats itself while a thread waits for time, a fair scheduler lets time pass too. That leads to
    /// states in which the same can be so.
    private mutating func letTimePass() {
        while !isTooLarge {
            var found: Set<Int> = []
            for thread in program.codes.indices {
                let waiting = states.indices.filter { world($0).waitsForTime(thread) }
                let cycles = FairCycles(self, followsBranches: true) { !$0.isTime && $0.thread != thread }
                for component in cycles.components(among: waiting) { found.formUnion(component) }
            }
            var hasGrown = false
            for state in found.sorted() where !edges[state].contains(where: \.isTime) {
                if passTime(state) { (hasGrown, passesTimeBesideSteps) = (true, true) }
            }
            if !hasGrown { return }
            expandAll()
        }
    }
}
