import CLab
import Glibc

/// Ends a command in time that was asked to end, by SIGINT, SIGTERM or SIGHUP, in whatever it computes then.
///
/// Such signals are blocked where processes are started, and are taken when the command looks for them (`BlockedSignals`); then it shows
/// what is known so far. This watch is for the case that it does not look, or that showing takes too long.
package enum EndingWatch {
    /// From the signal on, in nanoseconds: it is to end within two seconds.
    private static let limit: UInt64 = 1_400_000_000

    /// The command ends by itself, or by this watch.
    ///
    /// - Parameter program: its name, for what it says then.
    package static func begin(_ program: String) {
        say("\(program): interrupted\n")
        _ = clab_watch_ending(limit)
    }

    /// From here on it takes what it takes: a person reads.
    package static func end() { clab_end_watching() }

    /// What is said on standard error, with its line end, if it has to be ended.
    package static func say(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { clab_say_at_ending($0.baseAddress, Int32($0.count)) }
        }
    }

    /// The signal that has come. Nil: none. What is left to do is left then, but for what is known so far.
    package static var signal: Int32? {
        let number = clab_ending_signal()
        return number == 0 ? nil : number
    }

    /// The command has taken the signal.
    static func note(_ signal: Int32) {
        if [SIGINT, SIGTERM, SIGHUP].contains(signal) { clab_note_ending(signal) }
    }
}
