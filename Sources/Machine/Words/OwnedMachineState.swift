/// Owns the memory of a machine. `state`, a handle that can be copied freely, is valid as long as the owner exists.
package struct OwnedMachineState: ~Copyable, @unchecked Sendable {
    private let header: Owned<MachineState.Header>
    private let threads = OwnedBuffer<ThreadState>(capacity: MachineState.maximumThreads)
    package let state: MachineState

    package init() {
        header = Owned(MachineState.Header())
        state = MachineState(header: header.pointer, threads: threads.base)
    }
}
