// As in `SharedClasses`.
#if Lab
    @_exported import ThreadLabTypes

    typealias NSLock = Lab.NSLock
    typealias DispatchQueue = Lab.DispatchQueue
    typealias DispatchWorkItem = Lab.DispatchWorkItem
    typealias DispatchSemaphore = Lab.DispatchSemaphore
    typealias DispatchTime = Lab.DispatchTime
    typealias Thread = Lab.Thread
    typealias Date = Lab.Date
#endif
