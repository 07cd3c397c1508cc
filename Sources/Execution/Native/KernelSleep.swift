import Trace

/// Asks the kernel whether threads of this or another process are asleep.
package enum KernelSleep {
    private struct Look: Equatable {
        var isAsleep: Bool
        /// How often the thread has left a processor, voluntarily or not.
        var switches: Int
    }

    /// Whether all these threads were asleep at the same moment: none of them was running, and none had been woken and
    /// was about to run. A thread that is gone counts as asleep.
    ///
    /// Each is examined twice. One that slept both times and was on no processor in between slept all the time, so all
    /// of them slept at the moment between the two rounds.
    ///
    /// - Parameters:
    ///   - threads: the kernel's numbers.
    ///   - process: the process that they belong to; nil: this one.
    package static func areAllAsleep(_ threads: [Int32], of process: Int32? = nil) -> Bool {
        var first: [Look?] = []
        first.reserveCapacity(threads.count)
        for thread in threads {
            let look = look(thread, process)
            if look?.isAsleep == false { return false }
            first.append(look)
        }
        for (thread, before) in zip(threads, first) {
            guard let now = look(thread, process) else { continue }
            if now != before { return false }
        }
        return true
    }

    /// Nil if there is no such thread.
    private static func look(_ thread: Int32, _ process: Int32?) -> Look? {
        let text = SystemText.read("/proc/\(process.map(String.init) ?? "self")/task/\(thread)/status", limit: 4096)
        if text.isEmpty { return nil }
        var result = Look(isAsleep: false, switches: 0)
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1)
            guard parts.count == 2 else { continue }
            let value = parts[1].drop { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") }
            if parts[0].elementsEqual("State".utf8) {
                // Zombies and dead threads cannot wake a thread either.
                result.isAsleep = value.first.map { "SZX".utf8.contains($0) } ?? false
            } else if parts[0].elementsEqual("voluntary_ctxt_switches".utf8)
                || parts[0].elementsEqual("nonvoluntary_ctxt_switches".utf8)
            {
                result.switches += Int(Substring(value)) ?? 0
            }
        }
        return result
    }
}
