import Trace

extension RunLoop {
    /// Runs in a mode until an input source was handled, the deadline has passed, `stop` is called, or the mode has
    /// nothing to watch. If the deadline has already passed, the run only handles pending events.
    ///
    /// Each pass follows the ten steps of the guide (The Run Loop Sequence of Events), whose numbers are in the code
    /// below.
    ///
    /// - Throws: `Misuse` `wrong-thread`, if the loop belongs to another thread; and errors of handlers.
    @discardableResult
    public func run(
        mode: Mode = .default, until deadline: Instant = .distantFuture, file: StaticString = #fileID,
        line: UInt = #line
    ) throws -> Exit {
        let site = SourceSite(file, line)
        try checkThread(site)
        state.value.running.append(mode)
        defer { state.value.running.removeLast() }
        record(.loopEntry, mode.name, site)
        guard try hasWork(in: mode, site) else {
            record(.loopExit, Exit.finished.rawValue, site)
            return .finished
        }
        try notify(.entry, mode, site)  // 1
        var exit: Exit?
        while exit == nil { exit = try pass(mode, until: deadline, site) }
        record(.loopExit, exit!.rawValue, site)
        try notify(.exit, mode, site)  // 10
        return exit!
    }

    /// Handles all events of the default mode, until the deadline or a `stop`, or until the mode has nothing to watch.
    public func run(until deadline: Instant, file: StaticString = #fileID, line: UInt = #line) throws {
        while true {
            switch try run(mode: .default, until: deadline, file: file, line: line) {
            case .handledSource: continue
            case .finished, .stopped, .timedOut: return
            }
        }
    }

    /// The requests of other threads that a pass has found, and has not handled yet.
    private struct Found {
        /// The calls that have not begun, in order.
        var performers: ArraySlice<Performer> = []
        /// A port with a message that has not been received.
        var port: Port?
        var isStopped = false
    }

    /// Runs one pass. Returns nil if another pass must follow, otherwise the reason for the run's end.
    private func pass(_ mode: Mode, until deadline: Instant, _ site: SourceSite) throws -> Exit? {
        handle.record(.loopBeforeTimers, at: site)
        try notify(.beforeTimers, mode, site)  // 2
        handle.record(.loopBeforeSources, at: site)
        try notify(.beforeSources, mode, site)  // 3
        var handled = try handleSources(in: mode, site)  // 4
        var found = try takeRequests(in: mode, site)
        var fired = false
        do {
            while let performer = found.performers.popFirst() {
                if try perform(performer, at: site) { handled = true }
            }
            if !handled && !found.isStopped && found.port == nil && !Self.hasPassed(deadline) {  // 5
                handle.record(.loopBeforeWaiting, at: site)
                try notify(.beforeWaiting, mode, site)  // 6
                found = try sleep(in: mode, until: deadline, site)  // 7
                handle.record(.loopAfterWaiting, at: site)
                try notify(.afterWaiting, mode, site)  // 8
            }
            fired = try fireTimers(in: mode, site)  // 9
            // A handler may have removed the port since.
            if let port = found.port, items(in: mode).ports.contains(where: { $0 === port }) {
                found.port = nil
                try port.receive(at: site)
                handled = true
            }
        } catch {
            try? putBack(found, site)
            throw error
        }
        if found.port != nil { try putBack(found, site) }
        // A handler may have stopped the loop.
        let isStoppedNow = try (handled || fired) && takeStop(site)
        if found.isStopped || isStoppedNow { return .stopped }
        if handled { return .handledSource }
        if Self.hasPassed(deadline) { return .timedOut }
        return try hasWork(in: mode, site) ? nil : .finished
    }

    // MARK: - The steps

    private func notify(_ activity: Activity, _ mode: Mode, _ site: SourceSite) throws {
        let concerned = items(in: mode).observers.filter { $0.activities.contains(activity) }
        for observer in concerned.inOrder(of: \.order) { try observer.call(activity, at: site) }
    }

    /// Handles every signaled source. Returns whether it handled one.
    private func handleSources(in mode: Mode, _ site: SourceSite) throws -> Bool {
        var handled = false
        for source in items(in: mode).sources {
            // An earlier handler may have removed this source.
            let isStillWatched = items(in: mode).sources.contains { $0 === source }
            if try isStillWatched && source.performIfSignaled(at: site) { handled = true }
        }
        return handled
    }

    /// Takes the requests that have arrived for this mode: all calls, and one message.
    private func takeRequests(in mode: Mode, _ site: SourceSite) throws -> Found {
        try gate.withLock(at: site) {
            let performers = requests.value.takePerformers(for: modes(within: mode))
            let port = requests.value.takeArrival(at: items(in: mode).ports)
            return Found(performers: performers[...], port: port, isStopped: takeStopWithLock())
        }
    }

    /// Puts back the requests that this pass has not handled, for a later pass.
    private func putBack(_ found: Found, _ site: SourceSite) throws {
        guard !found.performers.isEmpty || found.port != nil else { return }
        try gate.withLock(at: site) {
            requests.value.putBack(found.performers)
            if let port = found.port, port.membership.loop === self { requests.value.arrivals.insert(port, at: 0) }
        }
    }

    /// Sleeps until a request arrives, a timer is due, or the deadline has passed. Returns what has arrived, except for
    /// calls, which the next pass makes.
    private func sleep(in mode: Mode, until deadline: Instant, _ site: SourceSite) throws -> Found {
        let items = items(in: mode)
        let modes = modes(within: mode)
        let end = items.timers.map(\.latest).reduce(deadline, min)
        return try gate.withLock(at: site) {
            while !requests.value.concern(modes, items.ports) {
                guard try awake.wait(with: gate, until: end, at: site) else { break }
            }
            requests.value.isWoken = false
            return Found(port: requests.value.takeArrival(at: items.ports), isStopped: takeStopWithLock())
        }
    }

    /// Fires every timer that is due, in the order of the planned times. Returns whether one was.
    private func fireTimers(in mode: Mode, _ site: SourceSite) throws -> Bool {
        let timers = items(in: mode).timers
        guard !timers.isEmpty else { return false }
        let now = Instant.now
        var fired = false
        // An earlier handler may have invalidated a later timer, or changed its plan.
        for timer in timers.filter({ $0.isDue(at: now) }).inOrder(of: \.fireDate) where timer.isDue(at: now) {
            try timer.fireAsPlanned(at: site)
            fired = true
        }
        return fired
    }

    private func takeStop(_ site: SourceSite) throws -> Bool { try gate.withLock(at: site) { takeStopWithLock() } }

    private func takeStopWithLock() -> Bool {
        defer { requests.value.isStopped = false }
        return requests.value.isStopped
    }

    /// Whether a run in this mode has an event to wait for, or a call to make.
    private func hasWork(in mode: Mode, _ site: SourceSite) throws -> Bool {
        if !items(in: mode).isEmpty { return true }
        let modes = modes(within: mode)
        return try gate.withLock(at: site) { requests.value.performers.contains { $0.isFor(modes) } }
    }

    /// Reads the clock only if necessary, because reading it can be a step.
    private static func hasPassed(_ deadline: Instant) -> Bool { deadline != .distantFuture && deadline <= .now }

    private func record(_ kind: EventKind, _ text: String, _ site: SourceSite) {
        handle.with { $0.record(kind, handle.object.id, text: text, at: site) }
    }
}

extension Array {
    /// Sorted. Equal elements keep their order.
    fileprivate func inOrder<Key: Comparable>(of key: KeyPath<Element, Key>) -> [Element] {
        guard count > 1 else { return self }
        return enumerated().sorted {
            ($0.element[keyPath: key], $0.offset) < ($1.element[keyPath: key], $1.offset)
        }.map(\.element)
    }
}

// MARK: - Its remarks in traces

extension Remark {
    fileprivate static let loopBeforeTimers = Remark(
        "runloop.before-timers", "looks for timers",
        says: "It is about to fire timers")
    fileprivate static let loopBeforeSources = Remark(
        "runloop.before-sources", "looks for sources",
        says: "It is about to check input sources")
    fileprivate static let loopBeforeWaiting = Remark(
        "runloop.before-waiting", "loop is about to sleep",
        says: "It is about to sleep")
    fileprivate static let loopAfterWaiting = Remark("runloop.after-waiting", "loop wakes", says: "It woke up")
}
