// swift-format-ignore-file: TypeNamesShouldBeCapitalized, AlwaysUseLowerCamelCase
// The names are POSIX's.

// As in `SharedClasses`. ThreadLabPthread has ThreadLabTypes with it.
#if Lab
    @_exported import ThreadLabPthread

    typealias NSLock = Lab.NSLock
    typealias DispatchQueue = Lab.DispatchQueue
    typealias DispatchWorkItem = Lab.DispatchWorkItem
    typealias DispatchSemaphore = Lab.DispatchSemaphore
    typealias DispatchTime = Lab.DispatchTime
    typealias Thread = Lab.Thread
    typealias Date = Lab.Date
    typealias pthread_mutex_t = Lab.pthread_mutex_t
    typealias pthread_mutexattr_t = Lab.pthread_mutexattr_t
#endif
