// Put before JupyterLite's service worker: keep what the lab loads, and answer with it. Each page asks first which build the
// site has (build.txt), so a new version is seen at once, and no page mixes two. Without a network, the last build answers.
{
  const KEPT = "minigrad-";
  const BUILD = new URL("build.txt", self.location);
  const PATIENCE = 3000; // milliseconds, before a network that does not answer counts as none if a build is kept
  /** Messages between the page and its kernel, which look like requests. */
  const ASKED = /\/api\/(drive|stdin|service-worker-heartbeat)/;

  /** Return the name of the store of the site's build, and delete the stores of others. */
  const build = async () => {
    const stores = (await caches.keys()).filter((name) => name.startsWith(KEPT));
    const signal = stores.length ? AbortSignal.timeout(PATIENCE) : undefined;
    const answer = await fetch(BUILD, { cache: "no-cache", signal }).catch(() => null);
    if (!answer?.ok) return stores.at(-1) ?? KEPT;
    const name = KEPT + (await answer.text()).trim();
    await Promise.all(stores.map((each) => each === name || caches.delete(each)));
    return name;
  };
  let store = null; // lost when the browser stops this worker between two requests
  const opened = async (anew) => {
    if (anew || !store) store = build();
    return caches.open(await store);
  };

  const answered = async (event, address) => {
    const { request } = event;
    const kept = await opened(request.mode === "navigate");
    const there = await kept.match(address);
    // A file of another site that was loaded without its permission can be run, but not read.
    if (there && (there.type !== "opaque" || request.mode === "no-cors")) return there;
    // The browser's own store could have a file of an earlier build, and helps only without a network. (The request for a
    // page cannot be changed.)
    const now = request.mode === "navigate" ? {} : { cache: "no-cache" };
    const answer = await fetch(request, now).catch(() => fetch(request));
    // Such a file has no status.
    if (answer.status === 200 || answer.type === "opaque") event.waitUntil(kept.put(address, answer.clone()).catch(() => {}));
    return answer;
  };

  self.addEventListener("fetch", (event) => {
    const { request } = event;
    const url = new URL(request.url);
    if (request.method !== "GET" || !url.protocol.startsWith("http") || ASKED.test(url.pathname) || url.href === BUILD.href) return;
    url.search = ""; // the address of a notebook's page ends with its name, and JupyterLab adds times to others
    event.respondWith(answered(event, url.href));
  });
}
