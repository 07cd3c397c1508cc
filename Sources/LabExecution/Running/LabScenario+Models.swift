import Authoring
import Machine

extension Runnable {
    /// The program under each memory model that its own orders or its claims ask for: what is searched to hold it to its claims.
    ///
    /// First the program as it is written: under the model of its own orders, where its general claims count. Where claims name that
    /// model, or no claim is general, the first one is under sequential consistency, and that model is one of the others, where only the
    /// claims that name it count.
    ///
    /// - Throws: the reason as a sentence, if its executions cannot follow a model that a claim names.
    package func underEachModel() throws -> [any Runnable] {
        [try underGeneralModel()] + (try claimedModels.map { try under(claimedModel: $0, alone: true) })
    }

    /// The first of them.
    package func underGeneralModel() throws -> any Runnable {
        guard let program = self as? LabScenario, program.isHeldToOwnModel else { return self }
        return try program.under(ownModel, alone: false)
    }

    /// The memory models other than sc that its claims name.
    package var claimedModels: [MemoryModel] { (self as? LabScenario)?.program.weakModels ?? [] }

    /// - Parameter alone: whether only the claims that name the model count.
    package func under(claimedModel model: MemoryModel, alone: Bool) throws -> any Runnable {
        if !isSequential, let obstacle = obstacle(under: model) { throw UnsupportedModel(description: obstacle) }
        return try under(model, alone: alone)
    }
}

extension LabScenario {
    /// Whether its general claims are about executions that its own orders allow, beyond those of sequential consistency.
    fileprivate var isHeldToOwnModel: Bool {
        let claims = program.claims
        return ownModel != .sc && !claims.contains { $0.model == ownModel }
            && (claims.isEmpty || claims.contains { $0.model == nil })
    }
}

/// Why a program cannot be searched under a memory model that its claims name.
package struct UnsupportedModel: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
}
