import Machine

/// Schedules in which a thread's steps come elsewhere. They may contain choices that cannot be made there, which
/// `LenientReplay` skips.
extension Schedule {
    /// All steps of a thread from this choice on come after the later steps of all others.
    ///
    /// - Parameter place: the index of the choice of the thread.
    package func delaying(from place: Int) -> Schedule {
        let thread = choices[place].index
        let (own, others) = split(choices[place...], thread)
        return Schedule(choices[..<place] + others + own)
    }

    /// The steps of a thread up to this choice, as far back as others have stepped since, come before those of the
    /// others. Nil: it has no earlier step, or no other thread has stepped since.
    ///
    /// - Parameter place: the index of the choice of the thread.
    package func advancing(to place: Int) -> Schedule? {
        let thread = choices[place].index
        func isOwn(_ index: Int) -> Bool { !choices[index].isAlternative && choices[index].index == thread }
        // The first step of the thread's run, and the end of its run before that.
        var start = place
        while let before = lastStep(before: start), isOwn(before) { start = before }
        guard let last = choices[..<start].indices.last(where: isOwn) else { return nil }
        let end = nextStep(after: last)
        let after = nextStep(after: place)
        guard end < start else { return nil }
        let parts = [choices[..<end], choices[start..<after], choices[end..<start], choices[after...]]
        return Schedule(Array(parts.joined()))
    }

    /// A step of a thread: the thread, and the number of its earlier steps.
    package struct Rank: Sendable {
        let thread, earlier: Int
    }

    package func rank(ofStepAt place: Int) -> Rank {
        let thread = choices[place].index
        return Rank(
            thread: thread, earlier: choices[..<place].count { !$0.isAlternative && $0.index == thread })
    }

    /// The number of steps of other threads before this one. Nil: the thread takes fewer steps.
    package func othersBefore(_ rank: Rank) -> Int? {
        var (own, others) = (0, 0)
        for choice in choices where !choice.isAlternative {
            if choice.index != rank.thread {
                others += 1
            } else if own == rank.earlier {
                return others
            } else {
                own += 1
            }
        }
        return nil
    }

    private func lastStep(before place: Int) -> Int? { choices[..<place].lastIndex { !$0.isAlternative } }

    /// The index of the next step, after the alternatives of the step at this index.
    private func nextStep(after place: Int) -> Int {
        choices[(place + 1)...].firstIndex { !$0.isAlternative } ?? choices.count
    }

    /// The choices of the thread and those of the others, each with its alternatives.
    private func split(_ part: ArraySlice<Choice>, _ thread: Int) -> (own: [Choice], others: [Choice]) {
        var (own, others): ([Choice], [Choice]) = ([], [])
        var isOwn = false
        for choice in part {
            if !choice.isAlternative { isOwn = choice.index == thread }
            if isOwn { own.append(choice) } else { others.append(choice) }
        }
        return (own, others)
    }
}
