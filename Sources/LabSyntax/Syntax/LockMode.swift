/// How a `lock` block locks.
package enum LockMode: Sendable { case mutex, reading, writing }
