import Trace

/// The rules under which a program is judged, in words of the arbiter's own.
package struct Rulebook: Hashable, Sendable {
    /// How many waits on conditions may end by themselves in a run.
    package var spurious = 0
    /// Whether a signal wakes the one that came first. Otherwise any.
    package var isFirstWoken = false
    /// Whether a wait with a limit may end at any moment. Otherwise time passes only when nothing else happens.
    package var isLateAnytime = false
    /// Whether a thread must step only if it can all the time. Otherwise if it can again and again.
    package var isWeaklyFair = false

    package init() {}
}

extension Rulebook {
    /// The rules of the program with this seed: mostly the usual ones.
    package init(seed: UInt64) {
        self.init()
        var random = SplitMix64(seed: ~seed)
        switch random.next(below: 8) {
        case 0: isLateAnytime = true
        case 1: spurious = 1
        case 2: isFirstWoken = true
        case 3: isWeaklyFair = true
        case 4:
            (isLateAnytime, isWeaklyFair, isFirstWoken) = (random.next(below: 2) == 0, true, random.next(below: 2) == 0)
        default: break
        }
    }
}

extension Rulebook {
    /// Rules for a program about time limits, and about what ends for no reason.
    package init(impatient seed: UInt64) {
        self.init()
        var random = SplitMix64(seed: ~seed)
        isLateAnytime = random.next(below: 10) < 6
        spurious = random.next(below: 3)
        isFirstWoken = random.next(below: 4) == 0
        isWeaklyFair = random.next(below: 4) == 0
    }
}

extension Rulebook: CustomStringConvertible {
    package var description: String {
        let options = [
            isLateAnytime ? "--timeouts any" : nil, spurious > 0 ? "--spurious \(spurious)" : nil,
            isFirstWoken ? "--waiters fifo" : nil, isWeaklyFair ? "--fairness weak" : nil,
        ].compactMap { $0 }
        return options.isEmpty ? "the usual rules" : options.joined(separator: " ")
    }
}
