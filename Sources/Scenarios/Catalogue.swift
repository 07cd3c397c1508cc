import Authoring

/// The scenarios that come with threadlab.
public enum Catalogue {
    public static let builtIn: [any Scenario.Type] = [
        ProducerConsumer.self, Deadlock.self, Cancellation.self, Shutdown.self, PriorityInversion.self,
        ThreadLifecycle.self, ThreadErrors.self, ThreadDictionaryScenario.self, MainThreadGuard.self,
        SevenWays.self, KillOrCancel.self, FileLock.self, Signals.self, Fork.self, StackSize.self,
        RunLoopOrder.self, CommandSource.self, Timers.self, Perform.self, PortCheckIn.self, NamedPorts.self,
        RunLoopModes.self, RunLoopExit.self, RunLoopNested.self, EventTracking.self, IdleWork.self, AsyncFix.self,
        RunLoopOtherThread.self,
    ]
}
