/// The names of all methods and properties that objects have. Which object has which is for `LabProgram` to say.
package enum MemberName: String, CaseIterable, Sendable {
    case lock, tryLock, unlock
    case readLock, tryReadLock, writeLock, tryWriteLock
    case wait, tryWait, signal, broadcast, value
    case load, store, exchange, compareExchange, add, bitAnd, bitOr, bitXor
    case append, removeFirst, removeLast, removeAll, count, isEmpty
}
