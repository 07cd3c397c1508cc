/// What the events of a run mean to a reader: what the program did, not how a built object does it.
///
/// A call of a built object consists of a few operations: it locks the object, looks at its state, perhaps waits
/// several times for a change, and unlocks it. In the program's terms that is at most one wait, and the object's
/// remarks. So a wait for the object's lock is not a wait of the program unless it never ends, and all waits of a call
/// are one.
package struct EventRoles {
    package enum Role: UInt8, Sendable {
        case step
        /// The event is not shown, but its thread runs or is blocked, as the event says.
        case state
        /// The event is inside a built object, or describes the thread's next event.
        case inside
    }

    /// Which details are shown too.
    package struct Details: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        /// The events inside built objects.
        package static let insides = Details(rawValue: 1)
        /// The time limit of a wait, as a separate event.
        package static let limits = Details(rawValue: 2)
    }

    private let details: Details
    /// By thread: whether it is in a call whose wait has been shown.
    private var isWaiting: [Bool] = []
    /// By thread: the time limit of its next wait.
    private var limits: [Int64?] = []

    package init(_ details: Details = []) { self.details = details }

    /// Takes the next event.
    ///
    /// - Returns: its role, and the time limit if it begins a wait with one.
    package mutating func next(_ event: Event, in trace: TraceDocument) -> (role: Role, limit: Int64?) {
        let thread = Int(event.thread.index)
        while limits.count <= thread {
            limits.append(nil)
            isWaiting.append(false)
        }
        if event.kind == .threadDeadline && !details.contains(.limits) {
            limits[thread] = event.value
            return (.inside, nil)
        }
        let role = role(of: event, thread, trace)
        guard event.kind.blocks else { return (role, nil) }
        defer { limits[thread] = nil }
        return (role, limits[thread])
    }

    private mutating func role(of event: Event, _ thread: Int, _ trace: TraceDocument) -> Role {
        if event.kind.isAside { return event.kind == .threadTry ? .state : .inside }
        if details.contains(.insides) { return .step }
        if event.kind == .objectWait { return beginWait(thread) }
        if event.kind == .objectState { return .inside }
        guard let object = trace.object(event.object), object.kind == .part else {
            isWaiting[thread] = false
            return .step
        }
        let effect = event.kind.effect
        if effect == .park { return beginWait(thread) }
        if effect.isUnpark && isWaiting[thread] { return .inside }
        guard object.owner != .none else { return effect.blocks ? .step : .state }
        guard effect.releasesLock && isWaiting[thread] else { return .inside }
        // The call is over.
        isWaiting[thread] = false
        return .state
    }

    private mutating func beginWait(_ thread: Int) -> Role {
        if isWaiting[thread] { return .inside }
        isWaiting[thread] = true
        return .step
    }

    /// Whether a wait of the thread has been shown and is not over.
    fileprivate func isShownWaiting(_ thread: ThreadID) -> Bool {
        let index = Int(thread.index)
        return isWaiting.indices.contains(index) && isWaiting[index]
    }
}

extension TraceDocument {
    /// The roles of all events, and by event number the time limits of the shown waits.
    package func roles(_ details: EventRoles.Details = []) -> (all: [EventRoles.Role], limits: [Int: Int64]) {
        var view = EventRoles(details)
        var roles: [EventRoles.Role] = []
        roles.reserveCapacity(events.count)
        var limits: [Int: Int64] = [:]
        // By thread: its last shown wait, and (`hidden`) a wait that is not shown, in which it may be stuck.
        var shown: [Int: Int] = [:]
        var hidden: [Int: Int] = [:]
        var isOver = false
        for (index, event) in events.enumerated() {
            let (role, limit) = view.next(event, in: self)
            roles.append(role)
            isOver = isOver || event.kind.endsRun
            if isOver { continue }
            let thread = Int(event.thread.index)
            if !hidden.isEmpty && !event.kind.isAside { hidden[thread] = nil }
            if role == .step && (event.kind.blocks || event.kind == .objectWait) {
                shown[thread] = index
            }
            if role == .inside && event.kind.effect.waitsForLock && !view.isShownWaiting(event.thread) {
                hidden[thread] = index
            }
            if let limit, let wait = shown[thread] { limits[wait] = limits[wait] ?? limit }
        }
        for index in hidden.values { roles[index] = .step }
        return (roles, limits)
    }
}
