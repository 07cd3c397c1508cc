/// Words from other languages, and what to write instead, for hints in messages. Words are compared in lowercase and
/// without underscores.
package enum ForeignWords {
    /// The member that corresponds to the foreign one.
    ///
    /// - Parameter known: the members that the object has.
    package static func member(_ word: String, among known: [String]) -> String? {
        members[bare(word)]?.first { known.contains($0) }
    }

    /// What to write instead of a foreign statement or function.
    package static func statement(_ word: String) -> String? { statements[bare(word)] }

    /// What to write instead of a foreign declaration.
    package static func item(_ word: String) -> String? { items[bare(word)] }

    /// What to write instead of a foreign value.
    package static func value(_ word: String) -> String? { values[bare(word)] }

    /// What to write instead of a foreign constructor where a constant is needed.
    package static func constant(_ word: String) -> String? { constants[bare(word)] }

    /// The type that a foreign one corresponds to. Nil: there is none.
    package static func type(_ word: String) -> String? { types[bare(word)].flatMap { $0.isEmpty ? nil : $0 } }

    /// Whether the word may precede a declared name in another language: a type, of that language or of this one, or a
    /// word such as `auto`.
    package static func isType(_ word: String) -> Bool { types[bare(word)] != nil }

    /// Whether the word begins a block under a lock in another language.
    package static func locksBlock(_ word: String) -> Bool {
        ["withlock", "synchronized", "withlockheld", "lockguard", "uniquelock"].contains(bare(word))
    }

    /// The unit of time in the spelling of this language.
    package static func unit(_ word: String) -> String? {
        switch bare(word) {
        case "s", "sec", "secs", "second", "seconds": "s"
        case "ms", "msec", "millis", "millisecond", "milliseconds": "ms"
        case "us", "usec", "micros", "microsecond", "microseconds": "us"
        case "ns", "nsec", "nanos", "nanosecond", "nanoseconds": "ns"
        case "m", "min", "mins", "minute", "minutes": "m"
        default: nil
        }
    }

    /// The word in lowercase, without underscores.
    private static func bare(_ word: String) -> String { word.lowercased().filter { $0 != "_" } }

    /// Types of this language by foreign names. Empty: no type corresponds to the word.
    private static let types: [String: String] = [
        "int": "Int", "integer": "Int", "long": "Int", "short": "Int", "unsigned": "Int", "int32t": "Int",
        "int64t": "Int",
        "int64": "Int", "uint64": "Int", "sizet": "Int", "double": "Int", "float": "Int", "byte": "Int",
        "bool": "Bool", "boolean": "Bool", "duration": "Duration",
        "void": "", "auto": "", "var": "", "let": "", "char": "", "string": "", "str": "",
    ]

    private static let constants: [String: String] = [
        "semaphore": "write 'semaphore s = 1'", "boundedsemaphore": "write 'semaphore s = 1'",
        "dispatchsemaphore": "write 'semaphore s = 1'", "lock": "write 'mutex m'", "mutex": "write 'mutex m'",
        "rlock": "write 'recursive mutex m'", "reentrantlock": "write 'recursive mutex m'",
        "condition": "write 'condition c with m'", "event": "write 'latch l(1)'",
        "atomicinteger": "write 'atomic x = 0'", "atomicboolean": "write 'atomic x = false'",
        "atomicint": "write 'atomic x = 0'", "make": "a list is '[]'", "queue": "a list is '[]'",
        "deque": "a list is '[]'",
        "list": "a list is '[]'", "arraylist": "a list is '[]'", "linkedlist": "a list is '[]'",
        "vector": "a list is '[]'", "array": "a list is '[]'",
        "countdownlatch": "write 'latch l(2)'", "cyclicbarrier": "write 'barrier b(2)'",
        "barrier": "write 'barrier b(2)'",
    ]

    private static let values: [String: String] = [
        "true": "write 'true'", "false": "write 'false'", "null": "there is no null: write 0 or false",
        "nil": "there is no nil: write 0 or false", "none": "there is no None: write 0 or false",
        "nullptr": "there is no null: write 0 or false",
        "tid": "write 'index'", "threadid": "write 'index'", "id": "write 'index'", "pid": "write 'index'",
        "myid": "write 'index'", "me": "write 'index'",
        "self": "leave 'self.' out", "this": "leave 'this' out",
    ]

    /// Members by foreign names. Which one is meant depends on the object: `acquire` is `lock` of a mutex, and `wait`
    /// of a semaphore.
    private static let members: [String: [String]] = [
        "notify": ["signal"], "notifyone": ["signal"], "pulse": ["signal"], "wake": ["signal"],
        "notifyall": ["broadcast"], "pulseall": ["broadcast"], "signalall": ["broadcast"], "wakeall": ["broadcast"],
        "acquire": ["lock", "wait"], "enter": ["lock", "wait"], "down": ["wait"], "p": ["wait"],
        "release": ["unlock", "signal"], "exit": ["unlock"], "leave": ["unlock"], "up": ["signal"], "v": ["signal"],
        "post": ["signal"], "await": ["wait"], "arrive": ["wait", "countDown"], "arriveandwait": ["wait"],
        "done": ["countDown"], "block": ["wait"],
        "tryacquire": ["tryLock", "tryWait"], "trydown": ["tryWait"], "trypost": ["tryWait"],
        "rdlock": ["readLock"], "wrlock": ["writeLock"], "lockshared": ["readLock"], "sharedlock": ["readLock"],
        "lock": ["writeLock", "wait"], "unlockshared": ["unlock"], "readunlock": ["unlock"], "writeunlock": ["unlock"],
        "get": ["load"], "read": ["load"], "set": ["store"], "write": ["store"], "swap": ["exchange"],
        "getandset": ["exchange"], "testandset": ["exchange"], "cas": ["compareExchange"],
        "compareandswap": ["compareExchange"], "compareandset": ["compareExchange"],
        "compareexchangestrong": ["compareExchange"], "compareexchangeweak": ["weakCompareExchange"],
        "fetchadd": ["add"], "getandadd": ["add"], "increment": ["add"], "getandincrement": ["add"],
        "incrementandget": ["add"], "wrappingadd": ["add"], "subtract": ["add"], "fetchsub": ["add"],
        "fetchor": ["bitOr"], "fetchand": ["bitAnd"], "fetchxor": ["bitXor"],
        "push": ["append"], "pushback": ["append"], "add": ["append"], "put": ["append"], "enqueue": ["append"],
        "insert": ["append"], "send": ["append"], "pop": ["removeFirst"], "popfirst": ["removeFirst"],
        "popfront": ["removeFirst"], "take": ["removeFirst"], "dequeue": ["removeFirst"], "remove": ["removeFirst"],
        "shift": ["removeFirst"], "receive": ["removeFirst"], "popback": ["removeLast"], "poplast": ["removeLast"],
        "size": ["count"], "length": ["count"], "len": ["count"], "empty": ["isEmpty"], "clear": ["removeAll"],
    ]

    private static let statements: [String: String] = [
        "print": note, "println": note, "printf": note, "log": note, "puts": note, "echo": note, "cout": note,
        "fprintf": note, "console": note, "fmt": note, "elif": "write 'else if'", "elsif": "write 'else if'",
        "elseif": "write 'else if'", "delay": "write 'sleep'", "usleep": "write 'sleep'", "pause": "write 'sleep'",
        "random": "write 'choose(n)'", "rand": "write 'choose(n)'", "nondet": "write 'choose(n)'",
        "start": spawn, "fork": spawn, "create": spawn, "go": spawn, "pthreadcreate": spawn, "async": spawn,
        "synchronized": "write 'lock m { … }'", "with": "write 'lock m { … }'", "loop": "write 'while true'",
        "defer": "write 'lock m { … }' around the statements", "lockguard": "write 'lock m { … }'",
        "uniquelock": "write 'lock m { … }'", "scopedlock": "write 'lock m { … }'",
        "pthreadmutexlock": "write 'm.lock()'", "pthreadmutexunlock": "write 'm.unlock()'",
        "pthreadcondwait": "write 'c.wait()'", "pthreadcondsignal": "write 'c.signal()'",
        "pthreadcondbroadcast": "write 'c.broadcast()'", "pthreadjoin": "write 'join t'", "semwait": "write 's.wait()'",
        "sempost": "write 's.signal()'", "seminit": "write 'semaphore s = 1'", "pthreadexit": "write 'return'",
        "schedyield": "write 'yield'", "len": "write 'list.count'", "size": "write 'list.count'",
        "foreach": "write 'for i in 0..<n { … }'", "case": "write 'if' and 'else if'", "default": "write 'else'",
        "range": "write '0..<n'", "pow": "multiply", "sqrt": "there are only whole numbers",
        "assertequal": "write 'assert a == b'", "assertequals": "write 'assert a == b'", "asserttrue": "write 'assert'",
        "assertthat": "write 'assert'", "require": "write 'assert'", "check": "write 'assert'",
        "precondition": "write 'assert'", "xctassert": "write 'assert'", "xctassertequal": "write 'assert a == b'",
        "try": "errors cannot be caught: leave it out", "catch": "errors cannot be caught: leave it out",
        "select": "there are no channels: write 'await'", "throw": "write 'assert false'",
        "raise": "write 'assert false'", "goto": "write a loop",
        "new": "leave it out", "delete": "leave it out", "free": "leave it out",
        "long": "write 'var'", "auto": "write 'var'", "double": "write 'var'", "float": "write 'var'",
        "boolean": "write 'var'", "final": "write 'let'", "string": "there are only numbers, truth values and times",
        "semaphore": "write 'semaphore s = 1' outside of threads", "lock": "write 'mutex m' outside of threads",
        "forever": "write 'while true'", "do": "write 'while' or 'repeat n'", "exit": "write 'return'",
        "sleep": "write 'sleep 10ms'", "yield": "write 'yield'",
        "assume": "write 'await'", "until": "write 'await' or 'while !(…)'", "int": "write 'var'",
        "bool": "write 'var'",
        "const": "write 'let'", "static": "write 'let' or 'var'", "switch": "write 'if' and 'else if'",
        "then": "write '{'", "begin": "write '{'", "end": "write '}'",
    ]

    private static let note = "write 'note \"x is \\(x)\"'"
    private static let spawn = "write 'spawn t', and outside 'thread t { … }'"
    private static let records = "there are no records: write a 'shared' variable for each part"
    private static let needless = "leave it out"

    private static let items: [String: String] = [
        "std": "leave 'std::' out", "import": needless, "from": needless, "include": needless, "using": needless,
        "package": needless,
        "public": needless, "private": needless, "extern": needless, "export": needless, "namespace": needless,
        "struct": records, "class": records, "typedef": records, "enum": records, "record": records, "object": records,
        "interface": records, "type": records,
        "long": "write 'shared'", "auto": "write 'shared'", "double": "write 'shared'", "float": "write 'shared'",
        "boolean": "write 'shared'", "unsigned": "write 'shared'", "string": "write 'shared', with a number",
        "final": "write 'parameter' or 'shared'", "define": "write 'parameter'",
        "pthreadmutext": "write 'mutex'", "pthreadcondt": "write 'condition'", "pthreadt": "write 'thread'",
        "semt": "write 'semaphore'", "reentrantlock": "write 'recursive mutex'", "rlock": "write 'recursive mutex'",
        "waitgroup": "write 'latch'", "countdownlatch": "write 'latch'", "cyclicbarrier": "write 'barrier'",
        "goroutine": "write 'thread'", "runnable": "write 'thread'", "channel": "write 'shared' and '= []'",
        "chan": "write 'shared' and '= []'", "queue": "write 'shared' and '= []'", "end": "write '}'",
        "note": "write it in a thread", "print": "write 'note' in a thread", "println": "write 'note' in a thread",
        "var": "write 'shared' or 'atomic'", "let": "write 'parameter' or 'shared'", "int": "write 'shared'",
        "bool": "write 'shared'", "const": "write 'parameter'", "static": "write 'shared'",
        "volatile": "write 'shared'",
        "global": "write 'shared'", "lock": "write 'mutex'", "cond": "write 'condition'",
        "condvar": "write 'condition'",
        "sem": "write 'semaphore'", "process": "write 'thread'", "proctype": "write 'thread'", "task": "write 'thread'",
        "proc": "write 'thread'", "function": "write 'func'", "def": "write 'func'", "fn": "write 'func'",
        "fun": "write 'func'", "void": "write 'func'",
        "main": "threads start by themselves; what comes after them is in 'finally { … }'", "name": "write 'scenario'",
        "param": "write 'parameter'", "readwritelock": "write 'rwlock'", "spinlock": "write 'mutex'",
        "monitor": "write 'mutex' and 'condition'", "list": "write 'shared' and '= []'", "array": "write 'shared'",
        "assert": "write 'finally { assert … }'",
    ]
}
