import Trace

/// Words of what built objects say of themselves, for traces that tests write by hand.
enum BuiltRemarks {
    static func remark(named name: String) -> Remark? { all.first { $0.name == name } }

    private static let all = [
        Remark("queue.put", "put {value} into {object}", value: .number, counts: .up),
        Remark("queue.take", "take {value} from {object}", value: .number, counts: .down),
        Remark("queue.async", "queue a block in {object}", value: .number, counts: .level),
        Remark("queue.suspend", "suspend {object}"),
        Remark("queue.resume", "resume {object}"),
        Remark("operation.cancel", "cancel {value}", value: .text),
        Remark("condition-lock.acquire", "lock {object} at {value}", value: .number),
        Remark("condition-lock.release", "unlock {object} at {value}", value: .number),
        Remark("condition-lock.acquire-at", "lock {object} at {value}", value: .text),
        Remark("condition-lock.release-at", "unlock {object} at {value}", value: .text),
        Remark("runloop.before-timers", "looks for timers"),
        Remark("runloop.before-sources", "looks for sources"),
        Remark("runloop.before-waiting", "loop sleeps"),
        Remark("runloop.after-waiting", "loop wakes"),
        Remark("runloop.wake-up", "wake {object}"),
        Remark("source.schedule", "schedule {object}"),
        Remark("source.signal", "signal {object}"),
        Remark("source.perform", "perform {object}"),
        Remark("source.cancel", "cancel {object}"),
        Remark("object.autorelease", "leave {object} to the pool"),
        Remark("object.end", "end of {object}"),
        Remark("timer.fire", "fire {object} planned for {value}", value: .nanoseconds),
        Remark("observer.call", "notify {object}: {value}", value: .text),
        Remark("perform.call", "make a call of {object}"),
        Remark("port.send", "send {value} to {object}", value: .number),
        Remark("port.receive", "receive {value} from {object}", value: .number),
        Remark("dictionary.set", "set {object} {value}", value: .text),
        Remark("dictionary.get", "get {value}", value: .text),
        Remark("distributed-lock.acquire", "lock {object}"),
        Remark("distributed-lock.busy", "finds {object} taken"),
        Remark("distributed-lock.release", "unlock {object}"),
        Remark("distributed-lock.break", "break {object}"),
        Remark("process.start", "start the process {value}", value: .text),
        Remark("process.kill", "kill the process {value}", value: .text),
        Remark("process.end", "the process {value}", value: .text),
        Remark("signal.send", "send {object}"),
        Remark("signal.take", "take {object}"),
    ]
}
