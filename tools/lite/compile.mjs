// Run a Python program in Pyodide with a local folder as /wheels; see bytecode.py.
import { readFileSync } from "node:fs";
import { loadPyodide } from "pyodide";

const [program, folder] = process.argv.slice(2);
const python = await loadPyodide();
python.FS.mkdirTree("/wheels");
python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, "/wheels");
python.runPython(readFileSync(program, "utf-8"));
