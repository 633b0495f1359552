// Python in a worker of a page: Pyodide and the packages of the lab, without Jupyter. kernel.js starts it from a blob, so
// that the page's content security policy applies to it. Pages use kernel.js only.
//
// To the worker:
//   { boot: { lab, language, token } }   once; `lab` is the full address of the lab's folder (the published build/lite)
//   { run: { id, code, name } }   a cell; `name` stands in tracebacks: File "<cell 5>"
// From the worker, each with the token:
//   { progress: { step, file } }  loading: step is "python", "packages" or "course"; file may be missing
//   { ready: true }               it takes cells
//   { failed: { step, address, message } }   it could not start; address is the one that did not respond, if any
//   { id, output }                an output of a running cell, in the format of notebook files
//   { id, done: { ok } }          the cell has ended; ok is false where it raised
// Cells run one after another. No message interrupts one: to do so, end the worker.
//
// A program reaches all globals and can post messages, too. So the names here are in a block, where it cannot read them:
// its messages have no token, and the page ignores them.

{
  const KERNEL = "@jupyterlite/pyodide-kernel-extension:kernel";
  const FOLDER = "/course"; // in the worker's own file system

  const post = self.postMessage.bind(self);
  let token;
  let run; // runs a cell; set after loading
  let queue = Promise.resolve();

  /** Evaluate a JavaScript expression although the page's policy forbids eval. Graphviz starts this way. */
  self.minigradRun = (program) => {
    const address = URL.createObjectURL(new Blob([`self.minigradRun.value = ${program}`], { type: "text/javascript" }));
    importScripts(address);
    URL.revokeObjectURL(address);
    return self.minigradRun.value;
  };

  /** An address that did not respond. */
  class Unreachable extends Error {
    constructor(address, cause) {
      super(String(cause?.message ?? cause));
      this.address = address;
    }
  }

  const report = (message) => post({ ...message, token });

  const read = async (address) => {
    const answer = await fetch(address).catch((cause) => {
      throw new Unreachable(address.href, cause);
    });
    if (!answer.ok) throw new Unreachable(address.href, answer.status);
    return answer;
  };

  /** Report the start of a step, and each file that it loads. */
  const tell = (step) => {
    report({ progress: { step } });
    self.fetch = async (asked, options) => {
      const address = String(asked?.url ?? asked);
      report({ progress: { step, file: decodeURIComponent(address.split("/").at(-1)) } });
      return tell.fetch(asked, options).catch((cause) => {
        // Report it at once: Pyodide waits forever if its WebAssembly does not arrive.
        report({ failed: { step, address, message: String(cause) } });
        throw new Unreachable(address, cause);
      });
    };
  };
  tell.fetch = self.fetch.bind(self);

  /** Load Python and the course; return the function `run`. */
  const boot = async ({ lab, language }, at) => {
    at("python");
    // The lab's settings contain the addresses of Pyodide, of Python's library and of the list of packages.
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
      stdLibURL: new URL(loadPyodideOptions.stdLibURL, lab).href,
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
      // A cell may import a package that is not loaded yet; if loading fails, the import raises.
      await python.loadPackagesFromImports(code, { messageCallback: () => {}, errorCallback: () => {} }).catch(() => {});
      const send = (output) => report({ id, output: JSON.parse(output) });
      const ok = cell(code, name, send);
      report({ id, done: { ok } });
    };
  };

  const start = async (options) => {
    let step;
    const at = (next) => tell((step = next));
    token = options.token;
    try {
      run = await boot(options, at);
      self.fetch = tell.fetch;
      report({ ready: true });
    } catch (error) {
      report({ failed: { step, address: error.address, message: String(error.message ?? error) } });
    }
  };

  addEventListener("message", ({ data, isTrusted }) => {
    if (!isTrusted) return; // a program has dispatched it
    if (data.boot) queue = queue.then(() => start(data.boot));
    else queue = queue.then(() => run(data.run));
  });
}
