// A program of somebody else's, with a scenario of its own beside the built-in ones, as CONTRIBUTING.md describes.
import ThreadLab

Lab.main(Catalogue.builtIn + [Trouble.self, Mishap.self])
