import CLab
import Glibc

/// Ends a command in time after SIGINT, SIGTERM or SIGHUP, whatever it is computing.
///
/// A command that starts processes blocks these signals and takes them when it looks for them (`BlockedSignals`). It
/// then shows what is known so far. This watch handles the case that it does not look, or that showing takes too long.
package enum EndingWatch {
    /// The time from the signal to the end, in nanoseconds: a command should end within two seconds.
    private static let limit: UInt64 = 1_400_000_000

    /// From now on, the command ends in time after a signal, by itself or by this watch.
    ///
    /// - Parameter program: the program's name, for the message.
    package static func begin(_ program: String) {
        say("\(program): interrupted\n")
        _ = clab_watch_ending(limit)
    }

    /// Ends the watch: from now on there is no time limit, because a person reads.
    package static func end() { clab_end_watching() }

    /// Sets the text, with its line end, that is written to standard error if the watch has to end the command.
    package static func say(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { clab_say_at_ending($0.baseAddress, Int32($0.count)) }
        }
    }

    /// The signal that has arrived. Nil: none. After a signal, the command does no further work except showing what is
    /// known.
    package static var signal: Int32? {
        let number = clab_ending_signal()
        return number == 0 ? nil : number
    }

    /// Notes that the command has taken the signal.
    static func note(_ signal: Int32) {
        if [SIGINT, SIGTERM, SIGHUP].contains(signal) { clab_note_ending(signal) }
    }
}
