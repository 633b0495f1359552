// Put before the kernel's worker script: load Python and import the course when the worker starts, and not when JupyterLab
// asks for it. The page starts the worker while JupyterLab loads (starting.js). If this fails, the kernel tries it again.
{
  const SETTINGS = "$settings";
  const lab = new URL("../../../../", self.location);
  const settings = { ...SETTINGS.loadPyodideOptions };
  for (const key in settings) if (key.endsWith("URL")) settings[key] = new URL(settings[key], lab).href;
  const heard = {}; // the kernel's callbacks for what Python prints
  try {
    const pyodide = new URL(SETTINGS.pyodideUrl, lab);
    importScripts(pyodide.href);
    const python = loadPyodide({
      ...settings,
      indexURL: new URL(".", pyodide).href,
      stdout: (text) => heard.stdout?.(text),
      stderr: (text) => heard.stderr?.(text),
    }).then((loaded) => {
      loaded.runPython("import piplite.piplite, pyodide_kernel, minigrad, minigrad_viz");
      // The kernel asks for jedi, which the site leaves out (packages.py): it took seconds to complete a name.
      loaded.runPython("pyodide_kernel.kernel_instance.interpreter.Completer.use_jedi = False");
      return loaded;
    });
    const load = loadPyodide;
    self.minigradStart = (options) => {
      Object.assign(heard, options);
      return python.catch(() => load(options));
    };
  } catch (failure) {
    console.error(failure);
  }
}
