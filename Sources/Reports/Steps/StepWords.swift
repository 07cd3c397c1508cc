import Trace

/// A step in words, as a teacher would write it: a verb and its object.
struct StepWords {
    let cast: Cast

    func label(_ event: Event) -> Label {
        switch event.kind {
        case .threadCreate: words("create", value(event))
        case .threadCreateDetached: words("create", value(event) + Label(", detached"))
        case .threadWillExit: words("is about to end")
        case .threadKill: words("kill", value(event))
        case .threadKilled: words("is killed")
        case .threadStart: words("start")
        case .threadExit: words("end", value(event))
        case .threadJoinWait: words("waits for", value(event))
        case .threadJoin: words("join", value(event))
        case .threadDetach: words("detach", value(event))
        case .threadYield: words("yield")
        case .threadSleep: words("sleep", value(event))
        case .threadAwake: words("awake")
        case .threadError: words("error:", value(event))
        case .threadForeign: words("a foreign thread uses", object(event))
        case .threadCutOff: words("cut off")
        case .threadDeadline: words("for at most", value(event))
        case .threadPriority: words("has priority", value(event))

        case .mutexWait: words("waits for", object(event))
        case .mutexAcquire: words("lock", object(event))
        case .mutexRelease, .readRelease, .writeRelease: words("unlock", object(event))
        case .mutexBusy, .lockBusy, .semaphoreBusy: words("finds", object(event), "taken")
        case .mutexTimeout, .lockTimeout, .semaphoreTimeout: words("gives up", object(event))
        case .readWait: words("waits to read", object(event))
        case .writeWait: words("waits to write", object(event))
        case .readAcquire: words("read-lock", object(event))
        case .writeAcquire: words("write-lock", object(event))

        case .conditionWait: words("waits for", object(event))
        case .conditionWake: words("woken by", object(event))
        case .conditionTimeout: words("gives up", object(event))
        case .conditionSignal, .semaphoreSignal: words("signal", object(event))
        case .conditionBroadcast: words("broadcast", object(event))
        case .semaphoreWait: words("waits for", object(event))
        case .semaphoreAcquire: words("take", object(event))

        case .atomicLoad where cast.isCounted(event.object): words("use", object(event))
        case .atomicUpdate where cast.isCounted(event.object):
            words("references to", object(event)) + Label(" now ") + value(event)
        case .objectAutorelease: words("leave", object(event), "to the pool")
        case .objectEnd: words("end of", object(event))
        case .atomicLoad, .cellRead: words("read", object(event), result(event))
        case .atomicStore, .cellWrite: words("write", object(event), result(event))
        case .atomicUpdate: words("update", object(event), result(event))
        case .atomicMismatch: words("finds", object(event), result(event))
        case .memorySpin: words("spins on", object(event))
        case .queuePut: words("put", value(event), "into", object(event))
        case .queueTake: words("take", value(event), "from", object(event))
        case .queueAsync: words("queue a block in", object(event))
        case .queueSuspend: words("suspend", object(event))
        case .queueResume: words("resume", object(event))
        case .queueServe: words("has a worker:", value(event))
        case .operationFinish: words("finish", value(event))
        case .operationCancel: words("cancel", value(event))
        case .conditionLockAcquire, .conditionLockAcquireNamed: words("lock", object(event), "at", value(event))
        case .conditionLockRelease, .conditionLockReleaseNamed: words("unlock", object(event), "at", value(event))

        case .loopEntry: words("loop begins:", value(event))
        case .loopBeforeTimers: words("looks for timers")
        case .loopBeforeSources: words("looks for sources")
        case .loopBeforeWaiting: words("loop sleeps")
        case .loopAfterWaiting: words("loop wakes")
        case .loopExit: words("loop ends:", value(event))
        case .loopWakeUp: words("wake", object(event))
        case .sourceSchedule: words("schedule", object(event))
        case .sourceSignal: words("signal", object(event))
        case .sourcePerform: words("perform", object(event))
        case .sourceCancel: words("cancel", object(event))
        case .timerFire: words("fire", object(event), "planned for", value(event))
        case .observerCall: words("notify", object(event)) + Label(": ") + value(event)
        case .performQueue: words("queue a call to", object(event))
        case .performCall: words("make a call of", object(event))
        case .portSend: words("send", value(event), "to", object(event))
        case .portReceive: words("receive", value(event), "from", object(event))
        case .slotSet, .dictionarySet: words("set", object(event), value(event))
        case .slotDestroy: words("destroy", object(event))
        case .dictionaryGet: words("get", value(event))
        case .fileAppend: words("append", value(event), "to", object(event))
        case .distributedLockAcquire: words("lock", object(event))
        case .distributedLockBusy: words("finds", object(event), "taken")
        case .distributedLockRelease: words("unlock", object(event))
        case .distributedLockBreak: words("break", object(event))
        case .signalSend: words("send", object(event))
        case .signalHandler: words("handles", object(event))
        case .signalHandled: words("has handled", object(event))
        case .signalTake: words("take", object(event))
        case .processStart: words("start the process", value(event))
        case .processKill: words("kill the process", value(event))
        case .processEnd: words("the process", value(event))
        case .choice: words("choose", value(event))

        case .runExit: words("exit")
        case .runTimeout: words("stopped after", value(event))
        case .runCycle: words("the last", value(event), "steps repeat forever")
        case .runStarvation:
            words("the last", value(event), "steps can repeat forever, and") + Label(" ") + cast.thread(event.thread)
                + Label(" starves")
        case .runForever: words("the last", value(event), "steps can repeat forever")
        case .runStepLimit: words("stopped after", value(event), "steps")
        case .runCrash: words("crash", value(event))
        case .runKilled: words("killed", value(event))
        case .runQuit: words("quit with status", value(event))
        case .runInterrupted: words("interrupted", value(event))

        case .threadProgress: words("makes progress")
        case .note: Label("\"") + value(event) + Label("\"")
        case .meterCount, .meterBytes, .meterTime: words("measures", object(event)) + Label(": ") + value(event)
        case .stateSeen: words("seen:", value(event))
        case .assertionFailed, .claimFailed, .claimBroken, .noProgress, .misuse, .runDiverged: value(event)
        default: words(event.kind.name, object(event), value(event))
        }
    }

    private func object(_ event: Event) -> Label { event.object == .none ? .empty : cast.object(event.object) }

    private func value(_ event: Event) -> Label { cast.value(of: event) }

    /// For example `= 3`.
    private func result(_ event: Event) -> Label {
        let value = value(event)
        return value.width == 0 ? .empty : Label("= ") + value
    }

    /// The parts that are not empty, with blanks between them.
    private func words(_ verb: String, _ rest: Label...) -> Label {
        rest.reduce(Label(verb)) { $1.width == 0 ? $0 : $0 + Label(" ") + $1 }
    }

    private func words(_ verb: String, _ first: Label, _ word: String, _ rest: Label = .empty) -> Label {
        words(verb, first, Label(word), rest)
    }
}

/// The events of a trace in words, each on one line and safe to show.
package struct EventWords {
    private let trace: TraceDocument
    private let cast: Cast
    private let words: StepWords

    package init(_ trace: TraceDocument, ascii: Bool = false) {
        self.trace = trace
        cast = Cast(trace, ReportOptions(ascii: ascii))
        words = StepWords(cast: cast)
    }

    /// For example `lock a`.
    package func step(_ event: Event) -> String { words.label(event).text }

    package func name(_ thread: ThreadID) -> String { cast.thread(thread).text }

    package func name(_ object: ObjectID) -> String { cast.object(object).text }
}
