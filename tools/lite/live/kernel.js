// A page's Python: it starts the worker, runs cells in it, and ends it. For any page of the same site:
//
//   import { Kernel, Stopped } from "../lite/live/kernel.js"
//   const kernel = new Kernel({ language: "en", progress: (words) => ... })   // words to show, from the first moment on
//   await kernel.ready                      // a CannotStart (its message is for the reader) if Python cannot be loaded
//   const { ok, outputs } = await kernel.run("1 / 0", { name: "cell 1", output: (each) => ... })
//   kernel.stop()                           // at once; what runs rejects with Stopped, what Python knew is lost
//
// Outputs are those of a notebook's file: { output_type: "stream", name, text }, { output_type: "execute_result" or
// "display_data", data: { "text/plain": ..., "text/html": ... } }, { output_type: "error", ename, evalue, traceback }.
// outputs.js shows them. Cells share their names, in one module, and run one after another in the order in which they were
// given. What the worker itself is told and tells stands in python.worker.js.
//
// The page's content security policy holds for the worker too, as it is started from a blob. It needs:
export const POLICY = {
  "script-src": "'self' blob: 'wasm-unsafe-eval' https://cdn.jsdelivr.net/pyodide/",
  "connect-src": "'self' https://cdn.jsdelivr.net/pyodide/",
  "worker-src": "blob:",
  "frame-src": "'self'", // where outputs.js shows what is not plain text
};

const HERE = new URL(".", import.meta.url);
const LAB = new URL("..", HERE);

export const SAID = {
  en: {
    python: "Loading Python",
    packages: "Loading the packages",
    course: "Starting the course",
    slow: "This takes long: the connection is slow, or something on the way answers nothing.",
    unreachable:
      "Python could not be loaded: {} does not answer. Is there a connection, and does nothing block that address?",
    elsewhere: " A site can bring Python along and then needs no other address; whoever published this one can make it so.",
    broken: "Python could not be started: {}",
    blocked: "This browser lets the page start no worker, so nothing can be run in it: {}",
    stopped: "Stopped.",
  },
  zh: {
    python: "正在加载 Python",
    packages: "正在加载各个包",
    course: "正在启动课程",
    slow: "这比平时久：网速较慢，或者途中某处没有应答。",
    unreachable:
      "无法加载 Python：{} 没有应答。网络是否连通，是否有什么拦截了这个地址？",
    elsewhere: "网站也可以自带 Python，那就不需要别的地址；发布本站的人可以这样做。",
    broken: "Python 无法启动：{}",
    blocked: "这个浏览器不允许网页启动 worker，所以这里什么也运行不了：{}",
    stopped: "已停止。",
  },
};

const PATIENCE = 30_000; // milliseconds without a sign, after which the reader is told that it takes long

/** The kernel was stopped. */
export class Stopped extends Error {}

/** Python could not be started; the message is for the reader. */
export class CannotStart extends Error {}

export class Kernel {
  #worker;
  #running = new Map(); // id -> what waits for a cell
  #ended; // why nothing runs any more
  #count = 0;
  #refuse;
  #slow;

  constructor({ language = "en", progress = () => {} } = {}) {
    this.said = SAID[language];
    this.progress = progress;
    this.#tell({ step: "python" });
    this.ready = new Promise((resolve, reject) => {
      this.#refuse = reject;
      this.#start(language, resolve);
    });
    this.ready.catch(() => {}); // whoever runs a cell is told
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
      return this.#end(new CannotStart(words.replace("{}", what)));
    }
    this.#worker.addEventListener("message", ({ data }) => this.#heard(data, resolve));
    this.#worker.addEventListener("error", ({ message }) => {
      this.#end(new CannotStart(this.said.broken.replace("{}", message ?? "")));
    });
    this.#worker.postMessage({ boot: { lab: LAB.href, language } });
  }

  #heard({ progress, ready, failed, id, output, done }, resolve) {
    if (progress) this.#tell(progress);
    else if (failed) {
      const { address, message } = failed;
      const words = address
        ? this.said.unreachable.replace("{}", host(address)) + (foreign(address) ? this.said.elsewhere : "")
        : this.said.broken.replace("{}", message);
      this.#end(new CannotStart(words));
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

  #tell({ step, file }) {
    clearTimeout(this.#slow);
    this.#slow = setTimeout(() => this.progress(this.said.slow), PATIENCE);
    this.progress(`${this.said[step]}${file ? `: ${file}` : ""} …`);
  }

  #end(why) {
    if (this.#ended) return;
    this.#ended = why;
    clearTimeout(this.#slow);
    this.#worker?.terminate();
    this.#refuse(why);
    for (const { reject } of this.#running.values()) reject(why);
    this.#running.clear();
  }

  /** Run a cell when those before it have run. `output` is given each output as it comes. */
  async run(code, { name = `cell ${this.#count + 1}`, output = () => {} } = {}) {
    await this.ready;
    if (this.#ended) throw this.#ended;
    const id = (this.#count += 1);
    return new Promise((resolve, reject) => {
      this.#running.set(id, { outputs: [], output, resolve, reject });
      this.#worker.postMessage({ run: { id, code, name } });
    });
  }

  /** End it at once, whatever runs. */
  stop() {
    this.#end(new Stopped(this.said.stopped));
  }
}

const foreign = (address) => URL.canParse(address) && new URL(address).host !== location.host;

/** Who did not answer, as a reader knows addresses. */
const host = (address) => {
  if (!URL.canParse(address)) return address;
  const { host, pathname } = new URL(address);
  return foreign(address) ? host : pathname;
};
