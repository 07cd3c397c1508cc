/// Decides which events of a run reports show: those that say what the program did, not those that say how a built
/// object does its work.
///
/// A call of a built object consists of a few operations: it locks the object, looks at its state, perhaps waits
/// several times for a change, and unlocks it. In the program's terms that is at most one wait, and the object's
/// remarks. So a wait for the object's lock is not a wait of the program unless it never ends, and all waits of a call
/// are one.
package struct EventRoles {
    package enum Role: UInt8, Sendable {
        /// The event is shown.
        case step
        /// The event is not shown, but views take from it whether its thread runs or is blocked.
        case state
        /// The event is not shown: it is inside a built object, or describes the thread's next event.
        case inside
    }

    /// Details that are shown in addition.
    package struct Details: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        /// The events inside built objects.
        package static let insides = Details(rawValue: 1)
        /// The time limit of a wait, as a separate event.
        package static let limits = Details(rawValue: 2)
    }

    private let details: Details
    /// For each thread, whether it is in a call whose wait has been shown.
    private var isWaiting: [Bool] = []
    /// For each thread, the time limit of its next wait, in nanoseconds.
    private var limits: [Int64?] = []

    package init(_ details: Details = []) { self.details = details }

    /// Decides about the next event of the run. To be called for each event, in order.
    ///
    /// - Returns: the event's role, and the time limit in nanoseconds if it begins a wait that has one.
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
        // A part that belongs to no known object is shown only where a thread is blocked on it.
        guard object.owner != .none else { return effect.blocks ? .step : .state }
        guard effect.releasesLock && isWaiting[thread] else { return .inside }
        // The call is over.
        isWaiting[thread] = false
        return .state
    }

    /// The role of an event that begins a wait in a call of a built object.
    private mutating func beginWait(_ thread: Int) -> Role {
        if isWaiting[thread] { return .inside }
        isWaiting[thread] = true
        return .step
    }

    /// Whether the thread is in a call whose wait has been shown.
    fileprivate func isShownWaiting(_ thread: ThreadID) -> Bool {
        let index = Int(thread.index)
        return isWaiting.indices.contains(index) && isWaiting[index]
    }
}

extension TraceDocument {
    /// The roles of all events, and, by the index of the event, the time limits of the shown waits in nanoseconds.
    package func roles(_ details: EventRoles.Details = []) -> (all: [EventRoles.Role], limits: [Int: Int64]) {
        var view = EventRoles(details)
        var roles: [EventRoles.Role] = []
        roles.reserveCapacity(events.count)
        var limits: [Int: Int64] = [:]
        // For each thread, the index of its last shown wait.
        var shown: [Int: Int] = [:]
        // For each thread that waits for the lock of a built object, the index of that wait. It is shown if it never
        // ends.
        var hidden: [Int: Int] = [:]
        var isOver = false
        for (index, event) in events.enumerated() {
            let (role, limit) = view.next(event, in: self)
            roles.append(role)
            isOver = isOver || event.kind.endsRun
            // Later events come from the unwinding of threads' stacks, and end no wait of the run.
            if isOver { continue }
            let thread = Int(event.thread.index)
            // An event of the thread shows that its wait has ended.
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
