import Authoring
import Machine

extension Runnable {
    /// The program under each memory model that its own orders or its claims ask for: what is searched to hold it to its claims.
    ///
    /// First the program as it is written: under the model of its own orders, where its general claims count, and those that name this
    /// model. Under each of the others only the claims that name it count.
    ///
    /// - Throws: the reason as a sentence, if its executions cannot follow a model that a claim names.
    package func underEachModel() throws -> [any Runnable] {
        [try underOwnModel()] + (try claimedModels.map { try under(claimedModel: $0, alone: true) })
    }

    /// The first of them.
    package func underOwnModel() throws -> any Runnable { ownModel == model ? self : try under(ownModel, alone: false) }

    /// The memory models other than its own that its claims name.
    package var claimedModels: [MemoryModel] {
        (self as? LabScenario)?.program.claimedModels.filter { $0 != ownModel } ?? []
    }

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
