import LabSyntax

/// A warning and its place.
struct LocatedCaution {
    var caution: Caution
    var site: Site
}
