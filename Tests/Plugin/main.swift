// A program outside of this repository, with its own scenario and the built-in ones, as CONTRIBUTING.md describes.
import ThreadLab

Lab.main(Catalogue.builtIn + [Trouble.self, Mishap.self])
