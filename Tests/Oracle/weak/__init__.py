"""Two independent oracles for .lab programs under weak memory models. See README.md in this folder."""
