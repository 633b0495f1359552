// Python in a worker of a page: Pyodide with the packages of the lab beside it, and no Jupyter. kernel.js starts it from a
// blob, so that it lives under the page's own content security policy, and is what a page talks to.
//
// To the worker:
//   { boot: { lab, language } }   once; `lab` is the whole address of the lab's folder (build/lite, where it is published)
//   { run: { id, code, name } }   a cell; `name` is what a traceback calls it: File "<cell 5>"
// From the worker:
//   { progress: { step, file } }  what is being loaded: step is "python", "packages" or "course"; file if there is one
//   { ready: true }               it takes cells
//   { failed: { step, address, message } }   it could not start; address is what did not answer, if it was that
//   { id, output }                an output of a running cell, as a notebook's file has it
//   { id, done: { ok } }          the cell has ended; ok is false where it raised
// Cells wait for each other. There is no message to interrupt one: whoever wants that ends the worker.

const KERNEL = "@jupyterlite/pyodide-kernel-extension:kernel";
const FOLDER = "/course"; // in the worker's own file system

let run; // a cell: once all is loaded
let queue = Promise.resolve();

/** What a JavaScript expression is, where the page's policy lets no text be evaluated: Graphviz starts so. */
self.minigradRun = (program) => {
  const address = URL.createObjectURL(new Blob([`self.minigradRun.value = ${program}`], { type: "text/javascript" }));
  importScripts(address);
  URL.revokeObjectURL(address);
  return self.minigradRun.value;
};

/** Something that did not answer. */
class Unreachable extends Error {
  constructor(address, cause) {
    super(String(cause?.message ?? cause));
    this.address = address;
  }
}

const read = async (address) => {
  const answer = await fetch(address).catch((cause) => {
    throw new Unreachable(address.href, cause);
  });
  if (!answer.ok) throw new Unreachable(address.href, answer.status);
  return answer;
};

/** Tell of each file that is loaded from now on. */
const tell = (step) => {
  postMessage({ progress: { step } });
  self.fetch = async (asked, options) => {
    const address = String(asked?.url ?? asked);
    postMessage({ progress: { step, file: decodeURIComponent(address.split("/").at(-1)) } });
    return tell.fetch(asked, options).catch((cause) => {
      // Told at once: Pyodide waits for ever where its WebAssembly does not come.
      postMessage({ failed: { step, address, message: String(cause) } });
      throw new Unreachable(address, cause);
    });
  };
};
tell.fetch = self.fetch.bind(self);

/** Load Python and the course; what `run` is then. */
const boot = async ({ lab, language }, at) => {
  at("python");
  // The lab's own settings say where Pyodide is, and which list its packages are in.
  const settings = await (await read(new URL("jupyter-lite.json", lab))).json();
  const { pyodideUrl, loadPyodideOptions } = settings["jupyter-config-data"].litePluginSettings[KERNEL];
  const pyodide = new URL(pyodideUrl, lab);
  try {
    importScripts(pyodide.href);
  } catch (cause) {
    throw new Unreachable(pyodide.href, cause);
  }
  const python = await loadPyodide({
    indexURL: new URL(".", pyodide).href,
    lockFileURL: new URL(loadPyodideOptions.lockFileURL, lab).href,
    stdin: () => null,
    env: { HOME: FOLDER, MPLBACKEND: "module://page_plots", MINIGRAD_LANGUAGE: language },
  });
  at("packages");
  await python.loadPackage(["minigrad-lab"], { messageCallback: () => {} });
  at("course");
  for (const name of ["page_kernel.py", "page_plots.py"]) {
    const text = await (await read(new URL(`live/${name}`, lab))).text();
    python.FS.writeFile(`${FOLDER}/${name}`, text);
  }
  python.pyimport("sys").path.insert(0, FOLDER);
  python.FS.mkdirTree(`${FOLDER}/${language}`); // a lesson's language is its folder's name
  const { start } = python.pyimport("page_kernel");
  const cell = start(`${FOLDER}/${language}`);
  return async ({ id, code, name }) => {
    // What a cell imports may be a package that is not loaded yet; where it cannot be, the import says so.
    await python.loadPackagesFromImports(code, { messageCallback: () => {}, errorCallback: () => {} }).catch(() => {});
    const send = (output) => postMessage({ id, output: JSON.parse(output) });
    const ok = cell(code, name, send);
    postMessage({ id, done: { ok } });
  };
};

const start = async (options) => {
  let step;
  const at = (next) => tell((step = next));
  try {
    run = await boot(options, at);
    self.fetch = tell.fetch;
    postMessage({ ready: true });
  } catch (error) {
    postMessage({ failed: { step, address: error.address, message: String(error.message ?? error) } });
  }
};

addEventListener("message", ({ data }) => {
  if (data.boot) queue = queue.then(() => start(data.boot));
  else queue = queue.then(() => run(data.run));
});
