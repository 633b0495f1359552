// Python for a page: start a worker, run cells in it, and stop it. Any page of the same site can use it:
//
//   import { Kernel, Stopped } from "../lite/live/kernel.js"
//   const kernel = new Kernel({ language: "en", progress: (words) => ... })   // status texts, from the start on
//   await kernel.ready                      // rejects with CannotStart (its message is for the reader)
//   const { ok, outputs } = await kernel.run("1 / 0", { name: "cell 1", output: (each) => ... })
//   kernel.stop()                           // at once; running cells reject with Stopped, all variables are lost
//
// Outputs are those of a notebook's file: { output_type: "stream", name, text }, { output_type: "execute_result" or
// "display_data", data: { "text/plain": ..., "text/html": ... } }, { output_type: "error", ename, evalue, traceback }.
// outputs.js shows them. Cells share the variables of one module and run one after another, in the order of the calls.
// python.worker.js documents the messages to and from the worker.
//
// The worker is started from a blob, so the page's content security policy applies to it, too. It needs:
export const POLICY = {
  "script-src": "'self' blob: 'wasm-unsafe-eval' https://cdn.jsdelivr.net/pyodide/",
  "connect-src": "'self' https://cdn.jsdelivr.net/pyodide/",
  "worker-src": "blob:",
  "frame-src": "'self'", // outputs.js shows everything but plain text there
};

const HERE = new URL(".", import.meta.url);
const LAB = new URL("..", HERE);

export const SAID = {
  en: {
    python: "Loading Python",
    packages: "Loading the packages",
    course: "Starting the course",
    slow: "This is taking long: the connection is slow, or a server on the way does not respond.",
    unreachable:
      "Python could not be loaded: {} does not respond. Check the connection, and whether that address is blocked.",
    elsewhere: " A site can include Python and then needs no other address; the publisher of this site can set that up.",
    broken: "Python could not be started: {}",
    blocked: "This browser does not allow the page to start a worker, so no cell can run: {}",
    stopped: "Stopped.",
  },
  zh: {
    python: "正在加载 Python",
    packages: "正在加载各个包",
    course: "正在启动课程",
    slow: "加载时间较长：网速较慢，或途中的服务器没有应答。",
    unreachable:
      "无法加载 Python：{} 没有应答。请检查网络，以及这个地址是否被拦截。",
    elsewhere: "网站也可以自带 Python，就不需要访问别的地址；本站的发布者可以这样设置。",
    broken: "Python 无法启动：{}",
    blocked: "这个浏览器不允许网页启动 worker，因此无法运行单元格：{}",
    stopped: "已停止。",
  },
};

const PATIENCE = 30_000; // milliseconds without progress before the reader is told that it takes long

/** The kernel was stopped. */
export class Stopped extends Error {}

/** Python could not be started; the message is for the reader. */
export class CannotStart extends Error {}

export class Kernel {
  #worker;
  #running = new Map(); // id -> callbacks of a cell
  #ended; // the error that ended it
  #count = 0;
  #refuse;
  #slow;
  #token = crypto.getRandomValues(new Uint32Array(4)).join("-");

  constructor({ language = "en", progress = () => {} } = {}) {
    this.said = SAID[language];
    this.progress = progress;
    this.#report({ step: "python" });
    this.ready = new Promise((resolve, reject) => {
      this.#refuse = reject;
      this.#start(language, resolve);
    });
    this.ready.catch(() => {}); // `run` rejects instead
  }

  async #start(language, resolve) {
    try {
      const program = await fetch(new URL("python.worker.js", HERE));
      if (!program.ok) throw new Error(program.status);
      if (this.#ended) return;
      const address = URL.createObjectURL(new Blob([await program.text()], { type: "text/javascript" }));
      this.#worker = new Worker(address);
    } catch (error) {
      const words = error instanceof DOMException ? this.said.blocked : this.said.unreachable;
      const what = error instanceof DOMException ? error.message : HERE.href;
      return this.#finish(new CannotStart(words.replace("{}", what)));
    }
    this.#worker.addEventListener("message", ({ data }) => this.#receive(data, resolve));
    this.#worker.addEventListener("error", ({ message }) => {
      this.#finish(new CannotStart(this.said.broken.replace("{}", message ?? "")));
    });
    this.#worker.postMessage({ boot: { lab: LAB.href, language, token: this.#token } });
  }

  #receive({ token, progress, ready, failed, id, output, done }, resolve) {
    if (token !== this.#token) return; // posted by the program, see python.worker.js
    if (progress) this.#report(progress);
    else if (failed) {
      const { address, message } = failed;
      const words = address
        ? this.said.unreachable.replace("{}", host(address)) + (foreign(address) ? this.said.elsewhere : "")
        : this.said.broken.replace("{}", message);
      this.#finish(new CannotStart(words));
    } else if (ready) {
      clearTimeout(this.#slow);
      resolve();
    } else if (output) {
      const cell = this.#running.get(id);
      cell.outputs.push(output);
      cell.output(output);
    } else if (done) {
      const { outputs, resolve } = this.#running.get(id);
      this.#running.delete(id);
      resolve({ ...done, outputs });
    }
  }

  #report({ step, file }) {
    clearTimeout(this.#slow);
    this.#slow = setTimeout(() => this.progress(this.said.slow), PATIENCE);
    this.progress(`${this.said[step]}${file ? `: ${file}` : ""} …`);
  }

  #finish(why) {
    if (this.#ended) return;
    this.#ended = why;
    clearTimeout(this.#slow);
    this.#worker?.terminate();
    this.#refuse(why);
    for (const { reject } of this.#running.values()) reject(why);
    this.#running.clear();
  }

  /** Run a cell after those before it. `output` is called with each output. */
  async run(code, { name = `cell ${this.#count + 1}`, output = () => {} } = {}) {
    await this.ready;
    if (this.#ended) throw this.#ended;
    const id = (this.#count += 1);
    return new Promise((resolve, reject) => {
      this.#running.set(id, { outputs: [], output, resolve, reject });
      this.#worker.postMessage({ run: { id, code, name } });
    });
  }

  /** End it at once, even while a cell runs. */
  stop() {
    this.#finish(new Stopped(this.said.stopped));
  }
}

const foreign = (address) => URL.canParse(address) && new URL(address).host !== location.host;

/** The part of an address that a reader recognizes. */
const host = (address) => {
  if (!URL.canParse(address)) return address;
  const { host, pathname } = new URL(address);
  return foreign(address) ? host : pathname;
};
