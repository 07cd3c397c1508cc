import Authoring
import Machine

extension Runnable {
    /// The program itself, and again under each other memory model that its claims name, where only those claims count.
    ///
    /// - Throws: the reason as a sentence, if its executions cannot follow such a model.
    package func underClaimedModels() throws -> [any Runnable] {
        [self] + (try claimedModels.map { try under(claimedModel: $0, alone: true) })
    }

    /// The memory models other than sc that its claims name.
    package var claimedModels: [MemoryModel] { (self as? LabScenario)?.program.weakModels ?? [] }

    /// - Parameter alone: whether only the claims that name the model count.
    package func under(claimedModel model: MemoryModel, alone: Bool) throws -> any Runnable {
        if !isSequential, let obstacle = obstacle(under: model) { throw UnsupportedModel(description: obstacle) }
        return try under(model, alone: alone)
    }
}

/// Why a program cannot be searched under a memory model that its claims name.
package struct UnsupportedModel: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
}
