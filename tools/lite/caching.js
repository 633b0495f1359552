// Put before JupyterLite's service worker: keep what the lab loads, and answer with it when the network does not. The
// network comes first, so a page never mixes two versions of the site.
{
  const KEPT = "minigrad-offline";
  /** Messages between the page and its kernel, which look like requests. */
  const ASKED = /\/api\/(drive|stdin|service-worker-heartbeat)/;

  const version = (answer) => answer.headers.get("etag") ?? answer.headers.get("last-modified");

  const keep = async (request, answer) => {
    const kept = await caches.open(KEPT);
    const before = await kept.match(request);
    if (before && version(before) && version(before) === version(answer)) return;
    await kept.put(request, answer);
  };

  self.addEventListener("fetch", (event) => {
    const { request } = event;
    const url = new URL(request.url);
    if (request.method !== "GET" || !url.protocol.startsWith("http") || ASKED.test(url.pathname)) return;
    event.respondWith(
      fetch(request).then(
        (answer) => {
          // A file of another site has no status here.
          if (answer.status === 200 || answer.type === "opaque") event.waitUntil(keep(request, answer.clone()).catch(() => {}));
          return answer;
        },
        async (failure) => {
          const kept = await caches.open(KEPT);
          // The address of a notebook's page ends with its name, and JupyterLab adds times to others.
          const answer = await kept.match(request, { ignoreSearch: true });
          if (answer) return answer;
          throw failure;
        },
      ),
    );
  });
}
