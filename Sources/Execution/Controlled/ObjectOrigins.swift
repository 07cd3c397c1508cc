import Machine
import Trace

/// Where the objects of a runtime's executions were made, by their numbers: for a report of one that outlives its
/// execution. Its number then belongs to the object that the program makes in its place, which is mostly the same.
final class ObjectOrigins {
    private struct Origin {
        var site = SourceSite.unknown
        var kind = ObjectKind.part
    }

    @exclusivity(unchecked) private var origins: [Origin] = []

    @inline(__always) func note(_ object: UInt32, _ kind: ObjectKind, at site: SourceSite) {
        let number = Int(object)
        if number >= origins.count { makeRoom(for: number) }
        origins[number] = Origin(site: site, kind: kind)
    }

    @inline(never) private func makeRoom(for number: Int) {
        origins.append(contentsOf: repeatElement(Origin(), count: max(64, 2 * (number + 1)) - origins.count))
    }

    func foreignObject(_ object: RuntimeObject) -> ForeignObject {
        guard object.storage != nil, origins.indices.contains(Int(object.id)) else { return ForeignObject() }
        let origin = origins[Int(object.id)]
        return ForeignObject(origin.kind, madeAt: origin.site)
    }
}
