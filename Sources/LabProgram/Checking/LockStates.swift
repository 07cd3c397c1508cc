import LabSyntax

/// A lock as named in the text: an object, or an element with a subscript that has the same value everywhere in a
/// thread.
struct LockKey: Hashable {
    enum Index: Hashable {
        case none, own
        case constant(Int)
    }

    var object: Int
    var index: Index

    /// Nil: which lock it is depends on a value.
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

/// What is known about locks at one place of a thread.
struct LockStates {
    enum State {
        case free
        /// Held since that place.
        case held(Site)
        /// Held on some of the paths to this place, since that one.
        case maybe(Site)
        /// Unknown.
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

    /// Without locks that have not been touched.
    var states: [LockKey: State] = [:]

    /// What is known if either came before.
    static func joined(_ ways: [LockStates]) -> LockStates? {
        guard var result = ways.first else { return nil }
        for way in ways.dropFirst() {
            for key in Set(result.states.keys).union(way.states.keys) {
                result.states[key] = join(result.states[key], way.states[key])
            }
        }
        return result
    }

    private static func join(_ a: State?, _ b: State?) -> State {
        switch (a, b) {
        case (.unknown?, _), (_, .unknown?): .unknown
        case (.held(let site)?, .held?): .held(site)
        case (.held(let site)?, _), (.maybe(let site)?, _), (_, .held(let site)?), (_, .maybe(let site)?): .maybe(site)
        default: .free
        }
    }

    /// The effect of a function on the present state.
    mutating func apply(_ effect: LockStates) {
        for (key, state) in effect.states { states[key] = state }
    }

    mutating func forgetUncertain() {
        for (key, state) in states {
            if case .maybe = state { states[key] = .unknown }
        }
    }
}
