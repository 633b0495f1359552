// What the lab's page does while it starts. JupyterLab and Python load at the same time, and a line says so, since until
// then a cell shows no output. It also reports that Python cannot be loaded, and what a browser tab cannot do.
{
  const path = new URLSearchParams(location.search).get("path");
  const chinese = (path ?? navigator.language).startsWith("zh");
  const said = chinese
    ? {
        lab: "正在加载 JupyterLab",
        python: "正在启动 Python",
        wait: "。现在运行的单元格会排队，等 Python 启动后依次执行",
        slow: "加载时间较长：网速较慢，或途中的服务器没有应答。",
        unreachable:
          "无法加载 Python：{} 没有应答。请检查网络，以及这个地址是否被拦截。课程仍可阅读，但单元格不能运行。",
        interrupt: "标签页里的 Python 无法中断。重启内核会停止正在运行的单元格，笔记本的内容不变。",
        isprivate: "这是隐私窗口：关闭后，你的修改会丢失；课程运行时的文字是英文。",
        restart: "重启内核",
        close: "关闭",
      }
    : {
        lab: "Loading JupyterLab",
        python: "Starting Python",
        wait: ". Cells that you run now wait for it",
        slow: "This is taking long: the connection is slow, or a server on the way does not respond.",
        unreachable:
          "Python could not be loaded: {} does not respond. Check the connection, and whether that address is blocked. " +
          "You can still read the lessons, but no cell runs.",
        interrupt:
          "Python cannot be interrupted in a browser tab. Restarting the kernel stops the running cell; the notebook is kept.",
        isprivate: "This is a private window: your changes are lost when you close it.",
        restart: "Restart the kernel",
        close: "Close",
      };
  const PATIENCE = 60; // seconds before the reader is told that it takes long
  const begun = performance.now();

  const line = document.createElement("div");
  line.id = "minigrad-starting";
  line.lang = chinese ? "zh" : "en";
  line.setAttribute("role", "status");
  line.style.cssText =
    "position:fixed;z-index:20000;left:50%;bottom:2rem;transform:translateX(-50%);box-sizing:border-box;" +
    "width:max-content;max-width:calc(100vw - 2rem);padding:.5rem 1rem;border-radius:6px;background:#14213d;" +
    "color:#ffffff;font:15px/1.5 system-ui,sans-serif;box-shadow:0 2px 8px #0006";
  const button = (words, action) => {
    const made = document.createElement("button");
    made.textContent = words;
    made.style.cssText =
      "margin:.25rem 0 .25rem .75rem;padding:.2rem .75rem;border:1px solid #ffffff;border-radius:4px;" +
      "background:none;color:inherit;font:inherit;cursor:pointer";
    made.addEventListener("click", action);
    return made;
  };
  // JupyterLab turns circles and moons meanwhile, sixty times in a second: an eighth of the work.
  const still = document.createElement("style");
  still.textContent =
    ".jp-KernelStatus-spinner, .jp-SpinnerContent, .jupyterlite-loading-indicator-spinner, #jupyterlab-splash * " +
    "{ animation: none !important }";
  document.head.append(still);
  const hide = () => line.remove();
  /** Show a message with buttons. */
  const say = (words, ...buttons) => {
    const text = document.createElement("span");
    text.textContent = words;
    line.replaceChildren(text, ...buttons);
    if (!line.isConnected) document.body.append(line);
  };

  /** Start Python's worker once the service worker can answer it; JupyterLab takes it over for its first kernel. */
  const startPython = async () => {
    if (!path || crossOriginIsolated) return;
    const address = new URL("../$worker", location.href);
    const Native = Worker;
    let started = null;
    let asked = false;
    globalThis.Worker = new Proxy(Native, {
      construct(target, [wanted, ...options]) {
        if (asked || new URL(wanted, location.href).pathname !== address.pathname) return new target(wanted, ...options);
        asked = true;
        return started ?? new target(wanted, ...options);
      },
    });
    const keeper = navigator.serviceWorker;
    if (keeper && !keeper.controller) await new Promise((resolve) => keeper.addEventListener("controllerchange", resolve, { once: true }));
    if (!asked) started = new Native(address);
  };

  let failed = false;
  /** Request Python's first file, as the kernel does: nothing else would report a failure to the reader. */
  const reach = async () => {
    const root = new URL("../", location.href);
    const settings = await (await fetch(new URL("jupyter-lite.json", root))).json();
    const { pyodideUrl } = settings["jupyter-config-data"].litePluginSettings["@jupyterlite/pyodide-kernel-extension:kernel"];
    const address = new URL(pyodideUrl, root);
    const there = await fetch(address, { mode: "no-cors" }).then(
      (answer) => answer.ok || answer.type === "opaque",
      () => false,
    );
    if (there) return;
    failed = true;
    say(said.unreachable.replace("{}", address.host), button(said.close, hide));
  };

  /** The open notebook, or null. JupyterLab must have loaded. */
  const notebook = () => {
    const open = globalThis.jupyterapp.shell.currentWidget;
    return open?.sessionContext ? open : null;
  };
  /** Load again, from the browser's cache, what the service worker came too late to keep (caching.js). */
  const keep = async () => {
    const worker = navigator.serviceWorker;
    if (!worker) return;
    await worker.ready;
    if (!worker.controller) await new Promise((resolve) => worker.addEventListener("controllerchange", resolve, { once: true }));
    // JupyterLite notes its version on the second visit, and would register its worker anew for that.
    const noted = `${worker.controller.scriptURL}-version`;
    if (!localStorage.getItem(noted)) localStorage.setItem(noted, "$version");
    const loaded = performance.getEntriesByType("resource").map((each) => each.name);
    for (const address of new Set([location.href, ...loaded]))
      if (address.startsWith(location.origin) && !(await caches.match(address, { ignoreSearch: true })))
        await fetch(address).catch(() => {});
  };

  let restored = false;
  const look = () => {
    if (failed) return;
    const app = globalThis.jupyterapp;
    const status = restored ? notebook()?.sessionContext.session?.kernel?.status : undefined;
    // Without a notebook there is no Python to wait for.
    if (status === "idle" || status === "busy" || (restored && !path && !notebook())) {
      void keep();
      // Firefox has no such worker in a private window.
      return "serviceWorker" in navigator ? hide() : say(said.isprivate, button(said.close, hide));
    }
    const seconds = Math.floor((performance.now() - begun) / 1000);
    const words = app ? said.python : said.lab;
    const wait = restored && notebook() ? said.wait : "";
    say(seconds < PATIENCE ? `${words} … ${seconds} s${wait}` : said.slow);
    setTimeout(look, 250);
  };

  const follow = () => {
    const app = globalThis.jupyterapp;
    if (!app) return setTimeout(follow, 100);
    void app.restored.then(() => {
      restored = true;
    });
    app.commands.commandExecuted.connect((_, { id }) => {
      if (!/interrupt/.test(id)) return;
      const restart = button(said.restart, () => {
        hide();
        void app.commands.execute("notebook:restart-kernel");
      });
      say(said.interrupt, restart, button(said.close, hide));
    });
  };
  void startPython();
  look();
  follow();
  void reach();
}
