import Machine

/// Which steps need not be followed now.
extension StateSpace {
    /// A set of threads, with few that are enabled, whose next steps commute with all that the others can do before them.
    /// 0: only all of them.
    func independentThreads(_ enabled: UnsafeBufferPointer<UInt16>) -> UInt64 {
        let all = enabled.reduce(UInt64(0)) { $0 | 1 << UInt64($1) }
        var best: UInt64 = 0
        var fewest = enabled.count
        for first in enabled {
            let set = closure(of: Int(first), all, fewest)
            let size = (set & all).nonzeroBitCount
            if set != 0 && size < fewest {
                (best, fewest) = (set, size)
                if size == 1 { break }
            }
        }
        return best & all
    }

    /// The smallest such set with this thread. 0: it has too many enabled threads.
    private func closure(of first: Int, _ enabled: UInt64, _ limit: Int) -> UInt64 {
        var set: UInt64 = 1 << UInt64(first)
        var open = set
        while open != 0 {
            let thread = open.trailingZeroBitCount
            open &= open - 1
            for other in 0..<threadCount where set & 1 << UInt64(other) == 0 {
                if isIndependent(thread, of: other) { continue }
                set |= 1 << UInt64(other)
                open |= 1 << UInt64(other)
                if (set & enabled).nonzeroBitCount >= limit { return 0 }
            }
        }
        return set
    }

    private func isIndependent(_ thread: Int, of other: Int) -> Bool {
        let (number, answer) = tables.pointee.independence.answer(thread, present[thread + 1], present[other + 1])
        if let answer { return answer }
        loadNow()
        let isIndependent = subject.isIndependent(thread, of: other)
        tables.pointee.independence.set(number, isIndependent)
        return isIndependent
    }
}
