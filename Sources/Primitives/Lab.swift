/// What has the system's names in a lab: `Lab.main` is the command line (module `ThreadLab`), `Lab.NSLock` and its
/// neighbors replace the system's types (module `ThreadLabTypes`).
public enum Lab {}
