import CPthread

/// Something that one thread waits for and another one does, once.
package final class Signal: Sendable {
    private nonisolated(unsafe) let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    package init() {
        semaphore.initialize(to: sem_t())
        checkErrno(sem_init(semaphore, 0, 0), "sem_init")
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    package func post() { checkErrno(sem_post(semaphore), "sem_post") }

    package func wait() { while sem_wait(semaphore) != 0 {} }
}
