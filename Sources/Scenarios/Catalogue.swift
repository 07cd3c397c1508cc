import Authoring

/// The scenarios that come with threadlab, by the chapters of Apple's Threading Programming Guide ("the guide"), and
/// then those that follow the article Thread-Safe Class Design.
public enum Catalogue {
    public static let builtIn: [any Scenario.Type] = basics + threads + runLoops + synchronization + classDesign

    private static let basics: [any Scenario.Type] = [
        SevenWays.self, TooSmallToThread.self, IdleWork.self, MainThreadGuard.self, SecondThreadDrawing.self,
        ThreadErrors.self, Fork.self,
    ]

    private static let threads: [any Scenario.Type] = [
        ThreadLifecycle.self, EntryRoutine.self, ThreadDictionaryScenario.self, StackSize.self, PriorityStarvation.self,
        PriorityInversion.self, Shutdown.self, Cancellation.self, KillOrCancel.self,
    ]

    private static let runLoops: [any Scenario.Type] = [
        RunLoopOrder.self, RunLoopModes.self, Timers.self, Perform.self, CommandSource.self, PortCheckIn.self,
        NamedPorts.self, KeepAlive.self, RunLoopExit.self, RunLoopNested.self, EventTracking.self,
        RunLoopOtherThread.self,
    ]

    private static let synchronization: [any Scenario.Type] = [
        ProducerConsumer.self, Deadlock.self, Synchronized.self, SpinOrBlock.self, PartitionMeasured.self,
        FromContainer.self, FileLock.self, Signals.self,
    ]

    private static let classDesign: [any Scenario.Type] = [
        AtomicProperties.self, LastRelease.self, ImageCache.self, ConfinedObject.self, Delegates.self,
        QueueReentrancy.self, SyncAsyncMix.self, Backpressure.self, OperationOrder.self, QueueInversion.self,
        AsyncFix.self,
    ]
}
