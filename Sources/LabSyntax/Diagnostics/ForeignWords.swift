/// Words from other languages, and what to write instead.
package enum ForeignWords {
    /// The member of this object that corresponds to the foreign one.
    package static func member(_ word: String, among known: [String]) -> String? {
        members[bare(word)]?.first { known.contains($0) }
    }

    /// What to write instead of a foreign statement or function.
    package static func statement(_ word: String) -> String? { statements[bare(word)] }

    /// What to write instead of a foreign declaration.
    package static func item(_ word: String) -> String? { items[bare(word)] }

    /// The word in lowercase, without underscores.
    private static func bare(_ word: String) -> String { word.lowercased().filter { $0 != "_" } }

    private static let members: [String: [String]] = [
        "notify": ["signal"], "notifyone": ["signal"], "pulse": ["signal"], "wake": ["signal"],
        "notifyall": ["broadcast"], "pulseall": ["broadcast"], "signalall": ["broadcast"], "wakeall": ["broadcast"],
        "acquire": ["lock", "wait"], "enter": ["lock", "wait"], "down": ["wait"], "p": ["wait"],
        "release": ["unlock", "signal"], "exit": ["unlock"], "leave": ["unlock"], "up": ["signal"], "v": ["signal"],
        "post": ["signal"], "await": ["wait"], "arrive": ["wait"], "block": ["wait"],
        "tryacquire": ["tryLock", "tryWait"], "trydown": ["tryWait"], "trypost": ["tryWait"],
        "rdlock": ["readLock"], "wrlock": ["writeLock"], "lockshared": ["readLock"], "sharedlock": ["readLock"],
        "lock": ["writeLock", "wait"], "unlockshared": ["unlock"], "readunlock": ["unlock"], "writeunlock": ["unlock"],
        "get": ["load"], "read": ["load"], "set": ["store"], "write": ["store"], "swap": ["exchange"],
        "getandset": ["exchange"], "testandset": ["exchange"], "cas": ["compareExchange"],
        "compareandswap": ["compareExchange"], "compareandset": ["compareExchange"],
        "compareexchangestrong": ["compareExchange"], "compareexchangeweak": ["compareExchange"],
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
        "print": "write 'note'", "println": "write 'note'", "printf": "write 'note'", "log": "write 'note'",
        "puts": "write 'note'", "echo": "write 'note'", "elif": "write 'else if'", "elsif": "write 'else if'",
        "elseif": "write 'else if'", "delay": "write 'sleep'", "usleep": "write 'sleep'", "pause": "write 'sleep'",
        "random": "write 'choose(n)'", "rand": "write 'choose(n)'", "nondet": "write 'choose(n)'",
        "start": "write 'spawn'", "fork": "write 'spawn'", "create": "write 'spawn'", "go": "write 'spawn'",
        "synchronized": "write 'lock m { }'", "with": "write 'lock m { }'", "loop": "write 'while true'",
        "forever": "write 'while true'", "do": "write 'while' or 'repeat n'", "exit": "write 'return'",
        "assume": "write 'await'", "until": "write 'await' or 'while !(…)'", "int": "write 'var'",
        "bool": "write 'var'",
        "const": "write 'let'", "static": "write 'let' or 'var'", "switch": "write 'if' and 'else if'",
        "then": "write '{'", "begin": "write '{'", "end": "write '}'",
    ]

    private static let items: [String: String] = [
        "var": "write 'shared' or 'atomic'", "let": "write 'parameter' or 'shared'", "int": "write 'shared'",
        "bool": "write 'shared'", "const": "write 'parameter'", "static": "write 'shared'",
        "volatile": "write 'shared'",
        "global": "write 'shared'", "lock": "write 'mutex'", "cond": "write 'condition'",
        "condvar": "write 'condition'",
        "sem": "write 'semaphore'", "process": "write 'thread'", "proctype": "write 'thread'", "task": "write 'thread'",
        "proc": "write 'thread'", "function": "write 'func'", "def": "write 'func'", "fn": "write 'func'",
        "fun": "write 'func'", "void": "write 'func'", "main": "write 'finally'", "name": "write 'scenario'",
        "param": "write 'parameter'", "readwritelock": "write 'rwlock'", "spinlock": "write 'mutex'",
        "monitor": "write 'mutex' and 'condition'", "list": "write 'shared' and '= []'", "array": "write 'shared'",
        "assert": "write 'finally { assert … }'",
    ]
}
