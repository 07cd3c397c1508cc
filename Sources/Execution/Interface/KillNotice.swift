/// A value in a thread's slot that has to know if the thread is killed: no destructor runs then.
package protocol KillNotice: AnyObject {
    /// Called on the thread that is being killed.
    func ownerIsKilled()
}
