// The page that opens a program, from a link (#code=...) or pasted. The reader sees it first, then runs it in a worker
// (kernel.js of the lab). The worker returns data (minigrad_viz/stepper/handed_over.py): text becomes text, a picture an
// image, a payload a stepper. The page never inserts markup of the program.

import { pack, unpack } from "./link.js";
import { mount } from "./stepper.js";

const DATA = "application/vnd.minigrad+json";
const { lab, said: SAID } = JSON.parse(document.getElementById("told").textContent);
const KERNEL = new URL("live/kernel.js", new URL(lab, location.href));
const root = document.documentElement;
const find = (name) => document.getElementById(name);
const asked = new URLSearchParams(location.search).get("lang") ?? navigator.language;
const language = asked.startsWith("zh") ? "zh" : "en";
const said = SAID[language];

// Restrict the worker after Python and Graphviz have started: no program may read the browser's storage for this site (the
// reader's notebooks), use the network, or start a worker that could. The page's policy forbids to evaluate text; the
// exception that Graphviz needs to start is closed as well.
const CLOSED = `import js
from minigrad_viz.picture.graphviz import render
render("digraph {}", "svg")
js.minigradRun("""(() => {
  const shut = (from, names) => {
    for (let each = from; each; each = Object.getPrototypeOf(each))
      for (const name of names) delete each[name]
    for (const name of names) Object.defineProperty(from, name, { value: undefined })
  }
  shut(self, ["indexedDB", "caches", "fetch", "XMLHttpRequest", "WebSocket", "WebSocketStream", "WebTransport",
    "EventSource", "BroadcastChannel", "Worker", "SharedWorker", "importScripts", "cookieStore", "RTCPeerConnection",
    "webkitRequestFileSystem", "webkitRequestFileSystemSync", "webkitResolveLocalFileSystemURL",
    "webkitResolveLocalFileSystemSyncURL", "loadPyodide", "_createPyodideModule"])
  shut(navigator, ["storage", "storageBuckets", "serviceWorker", "locks", "sendBeacon"])
})()""")
del js.minigradRun
`;

const make = (tag, className, ...children) => {
  const element = Object.assign(document.createElement(tag), { className });
  element.append(...children);
  return element;
};

/** Nodes of a sentence; a piece between backticks becomes <code>. */
const parseCode = (text) =>
  text.split("`").map((part, place) => (place % 2 ? make("code", "", part) : part));

const image = ({ svg, text }) => {
  const picture = make("img", "");
  picture.alt = text;
  picture.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  return make("p", "picture", picture);
};

const SHOW = {
  text: ({ text }) => make("pre", "", text),
  error: ({ text }) => make("pre", "error", text),
  note: ({ text }) => make("p", "note", text),
  picture: image,
  explanation: (part) => {
    const words = make("p", "", ...parseCode(part.text));
    return make("div", "why", words, ...(part.svg ? [image({ ...part, text: "" })] : []));
  },
  stepper: ({ payload }) => {
    const place = make("div", "step");
    mounted.push(mount(place, payload));
    return place;
  },
};

const code = find("code");
const shown = find("shown");
const status = find("status");
const rows = () => {
  code.rows = Math.min(Math.max(code.value.split("\n").length + 1, 8), 30);
};
let mounted = [];
let kernel = null;

const say = (text) => {
  status.textContent = text;
};
const clear = () => {
  for (const unmount of mounted) unmount();
  mounted = [];
  shown.replaceChildren();
};
const end = () => {
  kernel?.stop();
  kernel = null;
};
const busy = (running) => {
  find("run").disabled = running;
  find("stop").hidden = !running;
  shown.setAttribute("aria-busy", running);
};

/** Start Python in its worker and restrict it. */
const start = async () => {
  const { Kernel } = await import(KERNEL).catch(() => {
    throw new Error(said.nolab);
  });
  const made = new Kernel({ language, progress: say });
  kernel = made;
  await made.ready;
  const { ok } = await made.run(CLOSED);
  if (!ok) throw new Error(said.failed);
  return made;
};

const run = async () => {
  clear();
  busy(true);
  const begun = performance.now();
  say(said.starting);
  let mine = kernel;
  try {
    mine ??= await start();
    say(said.running);
    const program = JSON.stringify([code.value, language]);
    const { outputs } = await mine.run(
      `import json, minigrad_viz.stepper.handed_over as _handed\n_handed.Shown(*json.loads(${JSON.stringify(program)}))`,
    );
    const parts = outputs.map(({ data }) => data?.[DATA]).find(Boolean);
    if (!parts) throw new Error(outputs.flatMap(({ traceback }) => traceback ?? []).at(-1) ?? said.failed);
    for (const part of JSON.parse(parts)) shown.append(SHOW[part.kind](part));
    say(said.done.replace("{}", ((performance.now() - begun) / 1000).toFixed(1)));
    if (!shown.children.length) shown.append(make("p", "note", said.nothing));
  } catch (error) {
    if (mine === kernel || !mine) end();
    say(error.message);
  }
  busy(false);
};

/** Write a link to the editor's program into the address, and into the clipboard if that is allowed. */
const share = async () => {
  const text = await pack(code.value);
  if (text === null) return say(said.large);
  history.replaceState(null, "", `#code=${text}`);
  const link = find("link");
  link.value = location.href;
  find("linked").hidden = false;
  link.select();
  const copied = await navigator.clipboard?.writeText(link.value).then(() => true, () => false);
  say((copied ? said.copied : said.linked).replace("{}", link.value.length));
};

/** Open the program of the address. */
const open = async () => {
  const text = new URLSearchParams(location.hash.slice(1)).get("code");
  find("came").hidden = true;
  if (text === null) return;
  end();
  clear();
  const program = await unpack(text);
  if (program === null) return say(said.damaged);
  code.value = program;
  rows();
  find("came").hidden = false;
  say("");
};

root.lang = language;
for (const element of document.querySelectorAll("[data-word]")) element.textContent = said[element.dataset.word];
document.title = said.title;
for (const [name, word] of [["code", "editor"], ["link", "address"], ["theme", "theme"]]) find(name).setAttribute("aria-label", said[word]);
const other = find("other");
other.lang = other.hreflang = language === "zh" ? "en" : "zh";
other.textContent = language === "zh" ? "English" : "中文";
other.addEventListener("click", () => {
  other.href = `?lang=${other.lang}${location.hash}`; // the program may have changed
});
other.href = `?lang=${other.lang}`;
find("home").href = `../${language}/index.html`;
if (!code.value) code.value = said.example;
rows();
code.addEventListener("input", rows);
addEventListener("hashchange", open);
find("run").addEventListener("click", run);
find("stop").addEventListener("click", end);
find("share").addEventListener("click", share);
code.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey || event.shiftKey)) {
    event.preventDefault();
    if (!find("run").disabled) void run();
  }
});
await open();
find("run").disabled = false;
