import Authoring

/// The scenarios that come with threadlab.
public enum Catalogue {
    public static let builtIn: [any Scenario.Type] = [
        ProducerConsumer.self, Deadlock.self, Cancellation.self, Shutdown.self, PriorityInversion.self,
        ThreadLifecycle.self, ThreadErrors.self, ThreadDictionaryScenario.self, MainThreadGuard.self,
        TooSmallToThread.self, PartitionMeasured.self, SevenWays.self, KillOrCancel.self, FileLock.self, Signals.self,
        Fork.self, StackSize.self,
        RunLoopOrder.self, CommandSource.self, Timers.self, Perform.self, PortCheckIn.self, NamedPorts.self,
        RunLoopModes.self, RunLoopExit.self, RunLoopNested.self, EventTracking.self, IdleWork.self, AsyncFix.self,
        RunLoopOtherThread.self,
        SpinOrBlock.self, Synchronized.self, AtomicProperties.self, LastRelease.self, FromContainer.self,
        EntryRoutine.self,
        QueueReentrancy.self, Delegates.self, SyncAsyncMix.self, Backpressure.self, ConfinedObject.self,
    ]
}
