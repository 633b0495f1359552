// For a projector: chapter.html?step=3&present opens the chapter's first stepper at its third step, over the whole window.
// &stepper=2 takes the second one. From the front page, index.html?lesson=05&step=3&present leads there.
{
  const asked = new URLSearchParams(location.search);
  /** Number `name` of the address, from 1; 1 if there is none. */
  const number = (name) => Math.max(1, Math.floor(Number(asked.get(name))) || 1);

  const show = (root) => {
    const slider = root.querySelector('.controls input[type="range"]');
    slider.value = number("step") - 1; // the last step, where there are not so many
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    if (!asked.has("present")) return root.host.scrollIntoView();
    const press = new KeyboardEvent("keydown", { key: "f", bubbles: true });
    root.querySelector(".stepper").dispatchEvent(press);
    slider.focus(); // the keys, and a clicker, are for this one
  };

  const open = () => {
    const place = document.querySelectorAll(".minigrad-output")[number("stepper") - 1];
    if (!place) return;
    for (let fold = place.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    const mounted = () => place.querySelector(".minigrad-stepper")?.shadowRoot?.querySelector(".stepper")?.getRootNode();
    const look = (observer) => {
      if (!mounted()) return;
      observer.disconnect();
      show(mounted());
    };
    new MutationObserver((_, observer) => queueMicrotask(() => look(observer))).observe(place, { childList: true, attributes: true });
    if (mounted()) show(mounted());
  };
  if (asked.has("step") || asked.has("present")) addEventListener("DOMContentLoaded", open);
}
