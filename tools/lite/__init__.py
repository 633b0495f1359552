"""The lab in a browser tab: a web site that runs Python, and every lesson, in the page itself.

JupyterLite is JupyterLab without a server: its kernel is Pyodide, CPython as WebAssembly. What
stands here puts the course into it. Read it in this order:

    npm.py        what comes from npm: the interpreter, and Graphviz as WebAssembly
    wheels.py     what comes as wheels: the project's own, and what Pyodide does not have
    bytecode.py   compiled beforehand, which is most of what a page would do while it starts
    packages.py   the list from which the page loads packages, with our own among them
    graphviz.py   Graphviz's script, made such that nobody has to wait for it
    notebooks.py  the lessons, as this lab reads them
    absent.py     what a browser does not have, and what a lesson says of it
    run_all.py    Run All goes on behind a cell that is meant to raise
    starting.js   what the lab's page says while it starts, and if Python does not come
    live/         cells that run in other pages: a worker with the same Python, without Jupyter
    site.py       the settings, and the site as a whole
    offline.py    a folder with what the page would load from the internet, for schools and tests
"""
