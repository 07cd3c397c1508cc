// A program outside of this repository, with its own scenario and the built-in ones, as CONTRIBUTING.md describes.
import Glibc
import ThreadLabCommandLine

// A test may ask for a mistake in the list.
let mistake = getenv("LAB_PLUGIN_MISTAKE").map { String(cString: $0) }
// Or for a list without the scenarios of threadlab.
let others = getenv("LAB_PLUGIN_ALONE") == nil ? Catalogue.builtIn : []
Lab.main(
    others + [Trouble.self, Mishap.self, Settings.self, OwnPrimitive.self] + CatalogueMistake.scenarios(for: mistake))
