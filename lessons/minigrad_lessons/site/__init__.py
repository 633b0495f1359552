"""The web site: an extension of Sphinx, what it writes into pages, and cells that run there."""
