import Trace

/// An event of a run on real threads that stands for a step, or for a thread's end.
///
/// Its place in the trace is where it was recorded. When it happened is known less well: an operation that gives something away is
/// recorded just before, so that whoever takes it is later; any other just after.
struct RecordedStep {
    let event: Event
    /// In the trace, from 0.
    let index: Int
    /// When to take it. Even numbers are the places of the trace's events, odd ones lie between.
    var place: Int
    /// Bounds of when it happened: the places of the thread's own steps before or after, where its own is none.
    var earliest: Int
    var latest: Int

    init(_ event: Event, index: Int) {
        self.event = event
        self.index = index
        place = 2 * index
        earliest = place
        latest = place
    }

    var kind: EventKind { event.kind }
}

extension EventKind {
    /// Whether it is recorded before it happens.
    var comesFirst: Bool {
        switch self {
        case .threadCreate, .threadYield, .mutexRelease, .readRelease, .writeRelease, .writeWait, .conditionWait,
            .conditionSignal, .conditionBroadcast, .semaphoreSignal, .atomicStore, .cellWrite:
            true
        default: false
        }
    }

    /// Whether the event stands for a step of the machine, or for the end of a thread.
    var isRecordedStep: Bool {
        switch self {
        case .threadCreate, .threadStart, .threadExit, .threadJoin, .threadDetach, .threadYield, .threadAwake,
            .mutexAcquire, .mutexBusy, .mutexTimeout, .mutexRelease,
            .writeWait, .readAcquire, .writeAcquire, .lockBusy, .lockTimeout, .readRelease, .writeRelease,
            .conditionWait, .conditionWake, .conditionTimeout, .conditionSignal, .conditionBroadcast,
            .semaphoreAcquire, .semaphoreBusy, .semaphoreTimeout, .semaphoreSignal,
            .atomicLoad, .atomicStore, .atomicUpdate, .atomicMismatch, .cellRead, .cellWrite, .fileAppend, .choice,
            .misuse, .runExit:
            true
        default: false
        }
    }

    /// Whether the thread only found that it could not have something. It may find so at any moment at which that is true.
    var isRefusal: Bool {
        switch self {
        case .mutexBusy, .mutexTimeout, .lockBusy, .lockTimeout, .semaphoreBusy, .semaphoreTimeout: true
        default: false
        }
    }

    /// Whether it says that time has passed.
    var tellsTime: Bool {
        switch self {
        case .threadSleep, .threadDeadline, .mutexTimeout, .lockTimeout, .conditionTimeout, .semaphoreTimeout: true
        default: false
        }
    }

    /// Whether the event's number is a value that the program works with.
    var hasProgramValue: Bool {
        switch self {
        case .atomicLoad, .atomicStore, .atomicUpdate, .atomicMismatch, .cellRead, .cellWrite, .choice, .misuse: true
        default: false
        }
    }
}
