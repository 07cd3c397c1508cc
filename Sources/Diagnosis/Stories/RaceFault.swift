import Trace

/// The place of the mistake in a data race: one line, for formats that mark one.
extension RaceStory {
    /// The step on an atomic whose order is too weak; or the access that does what the others of the memory do not: the
    /// plain one beside an atomic one, the one without the lock that is usually held, or the write with a lock that is
    /// held for reading. Otherwise the first access.
    var fault: SiteID {
        if let sight = reportedSight {
            return sight.write.order.releases ? sight.read.site : sight.write.site
        }
        let both = [earlier, later]
        if let plain = lone(both.filter { !$0.isAtomic }) { return plain.site }
        if let (lock, _) = lockUse.usual(in: lockSets) {
            let without = both.filter { access in !lockSets.locks(access.locks).contains { $0.object == lock } }
            if let access = lone(without) { return access.site }
        }
        if let access = lone(both.filter { lockSets.locks($0.locks).isEmpty }) { return access.site }
        let readers = both.filter { access in
            access.isWrite && lockSets.locks(access.locks).contains { $0.mode == .shared }
        }
        return lone(readers)?.site ?? earlier.site
    }

    /// The only access of a list. Nil: there are none or two.
    private func lone(_ accesses: [CellAccess]) -> CellAccess? { accesses.count == 1 ? accesses[0] : nil }
}
