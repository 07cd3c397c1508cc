/// What a mutex does when its owner locks it again.
package enum MutexKind: Sendable { case normal, checking, recursive }
