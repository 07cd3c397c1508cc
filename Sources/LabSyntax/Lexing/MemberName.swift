/// The names of methods and properties that the language's own objects have; those built by recipes have more.
/// `LabProgram` decides which object has which.
package enum MemberName: String, CaseIterable, Sendable {
    case lock, tryLock, unlock
    case readLock, tryReadLock, writeLock, tryWriteLock
    case wait, tryWait, signal, broadcast, value
    case load, store, exchange, compareExchange, add, bitAnd, bitOr, bitXor
    case append, removeFirst, removeLast, removeAll, count, isEmpty
}
