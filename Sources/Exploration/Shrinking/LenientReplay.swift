import Machine

/// Follows a schedule as far as possible: it skips choices that cannot be made. When none is left it prefers the thread
/// that ran, then the one with the lowest number, and the first alternative.
package final class LenientReplay: Chooser {
    package var schedule = Schedule()
    package let cycleSearch: CycleSearch
    private var position = 0
    package var plan: ChoosersPlan { position < schedule.choices.count ? .followed : .over }

    /// - Parameter cycleSearch: when cycles are looked for.
    package init(_ cycleSearch: CycleSearch = .sometimes) { self.cycleSearch = cycleSearch }

    package func begin() { position = 0 }

    package func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16? {
        while position < schedule.choices.count {
            let choice = schedule.choices[position]
            position += 1
            if !choice.isAlternative && enabled.contains(UInt16(choice.index)) { return UInt16(choice.index) }
        }
        return chooseByDefault(enabled, last: last)
    }

    package func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? {
        guard position < schedule.choices.count, schedule.choices[position].isAlternative else { return 0 }
        let way = schedule.choices[position].index
        position += 1
        return way < count ? way : 0
    }
}
