/// What each act touches.
extension Act {
    /// A footprint in general: which things of the operation are touched.
    package enum Reach: UInt8, Sendable {
        case nothing
        case readsObject, writesObject
        case writesMutex, writesMutexAndObject
        case leavesWait, leavesWaitEarly
        case readsThread, readsThreadLate, writesThread, addsThread
        case readsClock, writesClock
        /// The same, after the time limit has passed.
        case readsObjectLate, writesObjectLate
        case writesWorld
        case misuses
    }

    package var reach: Reach {
        switch self {
        case .start, .yield, .choose: .nothing
        case .take, .takeAgain, .release, .takePermit, .givePermit, .write, .store, .update, .append, .destroy,
            .takeToWrite, .releaseToWrite, .queue, .failToWrite, .wakeOne, .wakeAll:
            .writesObject
        case .read, .load, .mismatch, .look, .fail, .signalNone, .share, .unshare: .readsObject
        case .beginWait: .writesMutexAndObject
        case .endWait: .writesMutex
        case .leaveLate: .leavesWait
        case .leaveEarly: .leavesWaitEarly
        case .failLate: .readsObjectLate
        case .failToWriteLate: .writesObjectLate
        case .join, .detach: .writesThread
        case .findAlive: .readsThread
        case .joinLate: .readsThreadLate
        case .spawn: .addsThread
        case .awake: .writesClock
        case .readClock: .readsClock
        case .exit, .inspect: .writesWorld
        case .misuse: .misuses
        }
    }
}
