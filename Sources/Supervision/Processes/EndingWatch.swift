import CLab
import Glibc

/// Ends a command in time after SIGINT, SIGTERM or SIGHUP, whatever it is computing.
///
/// A command that starts processes blocks these signals, asks for them from time to time (`BlockedSignals`), and then
/// shows what is known so far. This watch ends the process if the command does not ask, or if showing takes too long.
package enum EndingWatch {
    /// The time from the signal to the end, in nanoseconds: a command should end within two seconds.
    private static let limit: UInt64 = 1_400_000_000

    /// From now on, the command ends in time after a signal, by itself or by this watch.
    ///
    /// - Parameter program: the program's name, for the message.
    package static func begin(_ program: String) {
        say("\(program): interrupted\n")
        // If there is no timer for the watch, the command can still end by itself.
        _ = clab_watch_ending(limit)
    }

    /// Ends the watch. Called before the output is shown in a pager, in which the user may read for any time.
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

    /// Notes that the command has received the signal.
    static func note(_ signal: Int32) {
        if [SIGINT, SIGTERM, SIGHUP].contains(signal) { clab_note_ending(signal) }
    }
}
