import Diagnosis
import Trace

/// What a thread is doing at one moment of a run.
package struct RunThread: Equatable {
    package enum Activity: Equatable {
        /// It has not been created.
        case notCreated
        /// It has been created, and has not done anything.
        case created
        /// It runs, or could run now.
        case running
        case asleep
        case waiting(Wait)
        /// It has returned, or the run has ended by itself.
        case ended
        /// It was ended where it was: another thread has killed it, or it has ended itself (`Thread.exit`).
        case killed
        /// The end of the process has cut it off.
        case cutOff
    }

    package var activity: Activity
    /// The number of the event, from 1, with which the activity began. 0: it began with the run. If the end of the run
    /// has ended the thread or cut it off: the same, of its activity before that.
    package var since: Int
    /// The time when that activity began, in nanoseconds since the run began.
    package var time: UInt64
    /// The number of the thread's last event, from 1. Nil: it has done nothing.
    package var lastEvent: Int?
    /// The line that the thread has reached. Unknown if its events name none.
    package var site: SiteID
    /// The locks that the thread holds, in the order in which it took them.
    package var holds: [Hold]
    /// The threads that must act before this one can continue, as far as they are known.
    package var blockers: [ThreadID]
}
