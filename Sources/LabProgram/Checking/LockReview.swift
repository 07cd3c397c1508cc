import LabSyntax

/// Finds locks that a thread leaves locked on some path, locks again, or unlocks without holding them. It follows the
/// text, not values: unless a literal decides it, an `if` may take either branch, and a loop runs once or not at all.
/// What it cannot follow, such as the result of `tryLock` in a variable, it ignores.
struct LockReview {
    private(set) var cautions: [LocatedCaution] = []
    private let program: Program
    /// For each function, the states in which it leaves the locks that it locks or unlocks.
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

    /// Reports a lock that is held at every exit as never unlocked, and one that is held only on some paths as not
    /// unlocked on every path.
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
        // The value that a function returns, which is not followed, may show whether it has locked.
        if function.result != nil { effect.forgetUncertain() }
        return effect
    }
}

/// A lock as named in the text: an object, or an element whose subscript has the same value everywhere in a thread.
struct LockKey: Hashable {
    enum Index: Hashable {
        /// A single lock.
        case none
        /// The thread's own `index`.
        case own
        case constant(Int)
    }

    /// The object's number.
    var object: Int
    var index: Index

    /// Nil: the subscript is neither `index` nor a literal.
    init?(_ place: Program.Place) {
        object = place.object
        switch place.index?.kind {
        case nil: index = .none
        case .index: index = .own
        case .constant(let value): index = .constant(value)
        default: return nil
        }
    }

    func text(_ program: Program) -> String {
        let name = program.objects[object].name
        return switch index {
        case .none: name
        case .own: "\(name)[index]"
        case .constant(let value): "\(name)[\(value)]"
        }
    }
}

/// The states of locks at one place in the code.
struct LockStates {
    enum State {
        case free
        /// Held on every path to the place. Locked at this site.
        case held(Site)
        /// Held on some of the paths to the place. Locked at this site.
        case maybe(Site)
        /// Free or held: the code does not show it, and nothing is reported.
        case unknown

        var isHeld: Bool { if case .held = self { true } else { false } }

        /// Where it was locked, if it may be held.
        var site: Site? {
            switch self {
            case .held(let site), .maybe(let site): site
            case .free, .unknown: nil
            }
        }
    }

    /// The locks that the code before the place locks or unlocks.
    var states: [LockKey: State] = [:]

    /// The states where several paths meet. Nil: there is no path.
    static func joined(_ ways: [LockStates]) -> LockStates? {
        guard var result = ways.first else { return nil }
        for way in ways.dropFirst() {
            for key in Set(result.states.keys).union(way.states.keys) {
                result.states[key] = join(result.states[key], way.states[key])
            }
        }
        return result
    }

    /// The state of one lock where two paths meet. Nil: the path neither locks nor unlocks it.
    private static func join(_ a: State?, _ b: State?) -> State {
        switch (a, b) {
        case (.unknown?, _), (_, .unknown?): .unknown
        case (.held(let site)?, .held?): .held(site)
        case (.held(let site)?, _), (.maybe(let site)?, _), (_, .held(let site)?), (_, .maybe(let site)?): .maybe(site)
        default: .free
        }
    }

    /// Applies the effect of a function.
    mutating func apply(_ effect: LockStates) {
        for (key, state) in effect.states { states[key] = state }
    }

    /// Sets the state of each lock that is held on some paths only to `unknown`.
    mutating func forgetUncertain() {
        for (key, state) in states {
            if case .maybe = state { states[key] = .unknown }
        }
    }
}
