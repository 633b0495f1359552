// Search the text of every section of all chapters (search.py). Chinese has no blanks between words, so pairs of characters
// are searched.
{
  const MOST = 12;
  const plain = (text) => text.normalize("NFKC").toLowerCase();

  /** The search terms: Latin words, and all pairs of adjacent Chinese characters. */
  const terms = (query) => {
    const found = [];
    for (const [run] of plain(query).matchAll(/\p{Script=Han}+|[^\s\p{Script=Han}]+/gu)) {
      if (!/^\p{Script=Han}/u.test(run) || run.length === 1) found.push(run);
      else for (let i = 0; i + 1 < run.length; i++) found.push(run.slice(i, i + 2));
    }
    return found;
  };
  const count = (text, term) => Math.min(text.split(term).length - 1, 5);

  /** The score of a section; 0 if a word, or more than a third of the pairs, is missing. */
  const score = ({ page, plainHeading, plainText, plainChapter }, query, all) => {
    let sum = 0;
    let missing = 0;
    for (const term of all) {
      const here = 12 * count(plainHeading, term) + count(plainText, term);
      if (here) sum += here + (plainChapter.includes(term) ? 2 : 0);
      else if (/^\p{Script=Han}{2}$/u.test(term)) missing += 1;
      else return 0;
    }
    if (missing * 3 > all.length) return 0;
    const whole = plain(query).trim();
    sum += (plainHeading.includes(whole) ? 40 : 0) + (plainText.includes(whole) ? 10 : 0);
    // The front page summarizes every chapter, so it counts less.
    return sum / (1 + missing) / (page.startsWith("00_index") ? 4 : 1);
  };

  const make = (tag, ...children) => {
    const element = document.createElement(tag);
    element.append(...children);
    return element;
  };
  /** The text around the first match, which is marked. */
  const excerpt = ({ text, plainText }, all) => {
    // Normalizing full-width characters may change positions; then the beginning is shown.
    const places = text.length === plainText.length ? all.map((term) => [plainText.indexOf(term), term.length]) : [];
    const [at, length] = places.filter(([place]) => place >= 0).sort(([one], [other]) => one - other)[0] ?? [0, 0];
    const from = Math.max(0, at - 40);
    const piece = make("p", from ? "…" : "", text.slice(from, at));
    if (length) piece.append(make("mark", text.slice(at, at + length)));
    piece.append(text.slice(at + length, at + 110), at + 110 < text.length ? "…" : "");
    return piece;
  };

  let loading;
  const load = () =>
    (loading ??= new Promise((resolve, reject) => {
      const script = make("script");
      Object.assign(script, { src: "sections.js", onerror: reject });
      script.onload = () =>
        resolve(
          globalThis.minigradSections.map((section) => ({
            ...section,
            plainHeading: plain(section.heading),
            plainText: plain(section.text),
            plainChapter: plain(section.chapter),
          })),
        );
      document.head.append(script);
    }));

  addEventListener("DOMContentLoaded", () => {
    const form = document.querySelector(".search");
    if (!form) return;
    const input = form.querySelector("input");
    const panel = form.querySelector(".results");
    const [summary, list] = panel.children;
    const close = () => (panel.hidden = true);
    const look = async () => {
      const query = input.value;
      const all = terms(query);
      if (all.length === 0) return close();
      const sections = await load();
      if (input.value !== query) return; // the query has changed
      const found = sections
        .map((section) => [score(section, query, all), section])
        .filter(([points]) => points > 0)
        .sort(([one], [other]) => other - one);
      summary.textContent = found.length ? form.dataset.found.replace("{}", found.length) : form.dataset.none;
      const entries = found.slice(0, MOST).map(([, section]) => {
        const link = make("a", make("strong", section.heading), " ");
        if (section.chapter !== section.heading) link.append(make("span", section.chapter));
        link.append(excerpt(section, all));
        link.href = `${section.page}#${encodeURIComponent(section.anchor)}`;
        link.addEventListener("click", close); // it may lead to this page
        return make("li", link);
      });
      list.replaceChildren(...entries);
      panel.hidden = false;
    };
    input.addEventListener("input", look);
    input.addEventListener("focus", () => {
      load();
      look();
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      list.querySelector("a")?.click();
    });
    form.addEventListener("keydown", (event) => {
      const links = [...list.querySelectorAll("a")];
      const at = links.indexOf(document.activeElement);
      if (event.key === "Escape") {
        close();
        input.focus();
        close(); // the focus opened it
      } else if (event.key === "ArrowDown") links[at + 1]?.focus();
      else if (event.key === "ArrowUp") (links[at - 1] ?? input).focus();
      else return;
      event.preventDefault();
    });
    document.addEventListener("pointerdown", ({ target }) => {
      if (!form.contains(target)) close();
    });
    form.addEventListener("focusout", ({ relatedTarget }) => {
      if (relatedTarget && !form.contains(relatedTarget)) close();
    });
  });
}
