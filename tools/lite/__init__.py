"""The lab in a browser tab: a web site that runs Python, and every lesson, in the page itself.

JupyterLite is JupyterLab without a server. Its kernel is Pyodide, CPython as WebAssembly. This
package adds the course. Read it in this order:

    npm.py        packages of npm: the interpreter, and Graphviz as WebAssembly
    wheels.py     wheels of the project, and of packages that Pyodide does not have
    bytecode.py   compile the wheels, which would take most of a page's start
    packages.py   the list from which the page loads packages
    graphviz.py   Graphviz's script without a promise
    notebooks.py  the lessons in the form that this lab reads
    absent.py     cells that cannot run in a browser
    run_all.py    let Run All continue after a cell that is meant to raise
    early.py      let cells wait that are run before the kernel is there
    worker.py     load Python before JupyterLab asks for it, and import the course
    caching.js    keep what the lab loads, for use without a network
    starting.js   start Python while JupyterLab loads, and say what is being loaded
    live/         run cells in other pages: a worker with the same Python, without Jupyter
    site.py       the settings, and the site as a whole
    offline.py    a folder with the files from the internet, for schools and tests
"""
