import LabSyntax
import Machine

/// Follows the code of a thread or function and tracks the states of locks, for `LockReview`.
struct LockWalk {
    /// The states at each exit.
    private(set) var exits: [LockStates] = []
    private(set) var cautions: [LocatedCaution] = []
    private let program: Program
    /// Whether no lock is held at the beginning. A function's caller may hold locks.
    private let isThread: Bool
    /// For each function, the states in which it leaves locks. Functions are followed after those that they call.
    private let effects: [LockStates]
    /// The states at the current place in the code. Nil: no path reaches it.
    private var here: LockStates? = LockStates()
    /// For each loop around the current place, the states at its `break`s.
    private var breaks: [[LockStates]] = []

    init(_ program: Program, isThread: Bool, effects: [LockStates]) {
        self.program = program
        self.isThread = isThread
        self.effects = effects
    }

    mutating func run(_ block: Program.Block) {
        walk(block)
        if let here { exits.append(here) }
    }

    private mutating func walk(_ block: Program.Block) {
        for statement in block.statements {
            if here == nil { return }
            walk(statement)
        }
    }

    private mutating func walk(_ statement: Program.Statement) {
        switch statement.kind {
        case .branch(let branches, let otherwise): branch(branches, otherwise)
        case .loop(let condition, let block): loop(condition, block)
        case .count(_, let lower, let upper, _, _, let block):
            follow(lower)
            follow(upper)
            loop(nil, block)
        case .times(let count, _, let block):
            follow(count)
            loop(nil, block)
        case .leave:
            if let here, !breaks.isEmpty { breaks[breaks.count - 1].append(here) }
            here = nil
        case .next: here = nil
        case .return(let value):
            if let value { follow(value) }
            if let here { exits.append(here) }
            here = nil
        case .locked(let place, _, let block): locked(place, block, statement.site)
        case .enclosed(_, let block):
            // The recipe decides whether this thread runs the block.
            let before = here
            walk(block)
            here = LockStates.joined([before, here].compactMap { $0 })
        default: ProgramWalk.expressions(of: statement) { perform($0) }
        }
    }

    private mutating func branch(_ branches: [Program.Statement.Branch], _ otherwise: Program.Block?) {
        var ends: [LockStates] = []
        for branch in branches {
            follow(branch.condition)
            let before = here
            here = refined(branch.condition, true, before)
            walk(branch.block)
            if let here { ends.append(here) }
            here = refined(branch.condition, false, before)
        }
        if let otherwise { walk(otherwise) }
        if let here { ends.append(here) }
        here = LockStates.joined(ends)
    }

    /// - Parameter condition: nil if the loop counts.
    private mutating func loop(_ condition: Program.Expression?, _ block: Program.Block) {
        if let condition { follow(condition) }
        let before = here
        breaks.append([])
        if let condition { here = refined(condition, true, before) }
        walk(block)
        var ends = breaks.removeLast()
        if condition?.isTrue != true {
            let rounds = [before, here].compactMap { $0 }
            let after = LockStates.joined(rounds)
            if let end = condition.map({ refined($0, false, after) }) ?? after { ends.append(end) }
        }
        here = LockStates.joined(ends)
    }

    /// Follows a `lock` block. Every exit from it unlocks.
    private mutating func locked(_ place: Program.Place, _ block: Program.Block, _ site: Site) {
        let key = LockKey(place)
        if let key { lock(key, site) }
        let exitsBefore = exits.count
        walk(block)
        guard let key else { return }
        here?.states[key] = .free
        for i in exitsBefore..<exits.count { exits[i].states[key] = .free }
        for loop in breaks.indices {
            for i in breaks[loop].indices { breaks[loop][i].states[key] = .free }
        }
    }

    // MARK: - Operations

    /// Follows the operations in an expression.
    private mutating func follow(_ expression: Program.Expression) {
        ProgramWalk.expressions(expression) { perform($0) }
    }

    private mutating func perform(_ expression: Program.Expression) {
        switch expression.kind {
        case .call(let function, _): here?.apply(effects[function])
        case .perform(let action, let place, _):
            guard let key = LockKey(place), !isRecursive(place), let kind = action.kind else { return }
            if kind.isAttemptToLock {
                here?.states[key] = .unknown
            } else if kind.takesLock {
                lock(key, expression.site)
            } else if kind.releasesLock {
                unlock(key, expression.site)
            }
        default: break
        }
    }

    private func isRecursive(_ place: Program.Place) -> Bool {
        program.objects[place.object].kind == .mutex(.recursive)
    }

    private mutating func lock(_ key: LockKey, _ site: Site) {
        guard program.objects[key.object].kind != .mutex(.recursive) else { return }
        if here?.states[key]?.isHeld == true, case .mutex = program.objects[key.object].kind {
            cautions.append(LocatedCaution(caution: .relock(key.text(program)), site: site))
        }
        here?.states[key] = .held(site)
    }

    private mutating func unlock(_ key: LockKey, _ site: Site) {
        let isFree =
            switch here?.states[key] {
            case .free?: true
            case nil: isThread
            default: false
            }
        if isFree { cautions.append(LocatedCaution(caution: .unlockOfFree(key.text(program)), site: site)) }
        here?.states[key] = .free
    }

    /// The states if the condition has this value, which shows whether attempts to lock in it succeeded. Nil: it cannot
    /// have the value.
    private func refined(_ condition: Program.Expression, _ outcome: Bool, _ states: LockStates?) -> LockStates? {
        guard var result = states else { return nil }
        switch condition.kind {
        case .constant(let value): return (value != 0) == outcome ? result : nil
        case .not(let inner): return refined(inner, !outcome, states)
        case .and(let left, let right) where outcome: return refined(right, true, refined(left, true, states))
        case .or(let left, let right) where !outcome: return refined(right, false, refined(left, false, states))
        case .perform(let action, let place, _):
            guard let key = LockKey(place), !isRecursive(place) else { return result }
            if action.kind?.isAttemptToLock == true { result.states[key] = outcome ? .held(condition.site) : .free }
            return result
        default: return result
        }
    }
}
