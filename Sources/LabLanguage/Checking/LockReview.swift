/// Finds locks that stay locked on some way out of a thread. It follows the text, not values: `if` may go either way, a loop is
/// gone through once or not at all. What it cannot follow, such as the answer of `tryLock` kept in a variable, it leaves alone.
struct LockReview {
    private(set) var findings: [Finding] = []
    private let program: Program
    /// What each function does to locks that it leaves in another state.
    private var effects: [LockStates?]

    init(_ program: Program) {
        self.program = program
        effects = Array(repeating: nil, count: program.functions.count)
        for thread in program.threads { review(thread.body, name: thread.name) }
        if let finally = program.finally { review(finally, name: "finally") }
    }

    private mutating func review(_ body: Program.Body, name: String) {
        var walk = walk(isThread: true)
        walk.run(body.block)
        findings += walk.findings
        report(walk.exits, name)
    }

    private mutating func walk(isThread: Bool) -> LockWalk {
        LockWalk(program, isThread: isThread) { [self] function in
            var copy = self
            return copy.effect(of: function)
        }
    }

    /// A lock that is held on every exit is never unlocked; on some of them, not on every way.
    private mutating func report(_ exits: [LockStates], _ name: String) {
        var sites: [LockKey: Site] = [:]
        for exit in exits {
            for (key, state) in exit.states { if let site = state.site { sites[key] = sites[key] ?? site } }
        }
        for (key, site) in sites.sorted(by: { ($0.value.line, $0.value.column) < ($1.value.line, $1.value.column) }) {
            let isEverywhere = exits.allSatisfy { $0.states[key]?.isHeld ?? false }
            let lock = key.text(program)
            let caution: Caution =
                isEverywhere ? .neverUnlocked(lock, by: name) : .notUnlockedEverywhere(lock, by: name)
            findings.append(Finding(caution: caution, site: site))
        }
    }

    private mutating func effect(of function: Int) -> LockStates {
        if let known = effects[function] { return known }
        var walk = walk(isThread: false)
        walk.run(program.functions[function].body.block)
        var effect = LockStates.joined(walk.exits) ?? LockStates()
        // What it leaves depends on what it returns.
        if program.functions[function].result != nil { effect.forgetUncertain() }
        effects[function] = effect
        return effect
    }
}
