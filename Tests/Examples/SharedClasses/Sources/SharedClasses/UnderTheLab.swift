// The only file that knows of the lab. With the trait `Lab` these names mean its types, whose every step a test
// decides; without it they are the system's own, at no cost. Exported, so that operators such as that of `Date() + 1`
// are found in the other files, which do not import the lab.
#if Lab
    @_exported import ThreadLabTypes

    typealias NSLock = Lab.NSLock
    typealias NSCondition = Lab.NSCondition
    typealias DispatchQueue = Lab.DispatchQueue
    typealias Operation = Lab.Operation
    typealias BlockOperation = Lab.BlockOperation
    typealias OperationQueue = Lab.OperationQueue
    public typealias Date = Lab.Date
#else
    import Foundation

    public typealias Date = Foundation.Date
#endif
