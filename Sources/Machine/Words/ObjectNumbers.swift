/// Gives each object of a machine a number, from 1 on. Equal identities (`ObjectIdentity`) have the same number in all
/// executions.
final class ObjectNumbers {
    /// By maker: the numbers of the objects that it makes, in order.
    @exclusivity(unchecked) private var byMaker: [[UInt32]] = []
    /// The numbers of objects that have a name or an address instead of a maker.
    @exclusivity(unchecked) private var byName: [ObjectIdentity: UInt32] = [:]
    /// By number: the object's identity. Entry 0 is unused.
    @exclusivity(unchecked) private var identities = [ObjectIdentity(word: 0)]
    /// The number given last. Executions are similar, so the next object usually has the next number.
    @exclusivity(unchecked) private var last = 0

    /// The number of the object, which may be new.
    func number(_ identity: ObjectIdentity) -> Int {
        let next = last + 1
        last = next < identities.count && identities[next].word == identity.word ? next : find(identity)
        return last
    }

    /// An execution begins.
    func begin() { last = 0 }

    @inline(never) private func find(_ identity: ObjectIdentity) -> Int {
        if identity.isNamed {
            if byName[identity] == nil {
                byName[identity] = UInt32(identities.count)
                identities.append(identity)
            }
            return Int(byName[identity]!)
        }
        while byMaker.count <= identity.maker { byMaker.append([]) }
        // A thread makes its objects in order, so `nth` is at most the number of those that are known.
        if identity.nth == byMaker[identity.maker].count {
            byMaker[identity.maker].append(UInt32(identities.count))
            identities.append(identity)
        }
        return Int(byMaker[identity.maker][identity.nth])
    }

    func identity(of number: Int) -> ObjectIdentity { identities[number] }
}
