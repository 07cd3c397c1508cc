import LabSyntax

/// Finds locks that stay locked on some path out of a thread. It follows the text, not values: `if` may take either
/// branch, a loop runs once or not at all. It ignores what it cannot follow, such as the result of `tryLock` in a
/// variable.
struct LockReview {
    private(set) var cautions: [LocatedCaution] = []
    private let program: Program
    /// What each function does to the locks whose state it changes.
    private var effects: [LockStates]

    init(_ program: Program) {
        self.program = program
        effects = Array(repeating: LockStates(), count: program.functions.count)
        let order = CallOrder(program.functions.map { CalledFunctions.of($0.body) })
        for function in order.calleesFirst { effects[function] = effect(of: program.functions[function]) }
        for thread in program.threads { review(thread.body, name: thread.name) }
        if let finally = program.finally { review(finally, name: "finally") }
    }

    private mutating func review(_ body: Program.Body, name: String) {
        var walk = LockWalk(program, isThread: true, effects: effects)
        walk.run(body.block)
        cautions += walk.cautions
        report(walk.exits, name)
    }

    /// A lock that is held at every exit is never unlocked; at some exits, not on every path.
    private mutating func report(_ exits: [LockStates], _ name: String) {
        var sites: [LockKey: Site] = [:]
        for exit in exits {
            for (key, state) in exit.states { if let site = state.site { sites[key] = sites[key] ?? site } }
        }
        let located = sites.map { (key: $0.key, lock: $0.key.text(program), site: $0.value) }
        for (key, lock, site) in located.sorted(by: {
            ($0.site.line, $0.site.column, $0.lock) < ($1.site.line, $1.site.column, $1.lock)
        }) {
            let isEverywhere = exits.allSatisfy { $0.states[key]?.isHeld ?? false }
            let caution: Caution =
                isEverywhere ? .neverUnlocked(lock, by: name) : .notUnlockedEverywhere(lock, by: name)
            cautions.append(LocatedCaution(caution: caution, site: site))
        }
    }

    private func effect(of function: Program.Function) -> LockStates {
        var walk = LockWalk(program, isThread: false, effects: effects)
        walk.run(function.body.block)
        var effect = LockStates.joined(walk.exits) ?? LockStates()
        // The state that it leaves depends on what it returns.
        if function.result != nil { effect.forgetUncertain() }
        return effect
    }
}
