/// Gives the objects of a machine's executions their numbers: small ones from 1 on, the same for the same object in each.
final class ObjectNumbers {
    /// By thread, those of the objects that it makes, in order.
    private var byMaker: [[UInt32]] = []
    private var identities = [ObjectIdentity(word: 0)]

    func number(_ identity: ObjectIdentity) -> Int {
        while byMaker.count <= identity.maker { byMaker.append([]) }
        if identity.nth == byMaker[identity.maker].count {
            byMaker[identity.maker].append(UInt32(identities.count))
            identities.append(identity)
        }
        return Int(byMaker[identity.maker][identity.nth])
    }

    func identity(of number: Int) -> ObjectIdentity { identities[number] }
}
