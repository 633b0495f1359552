// Presentation by address: chapter.html?step=3&present opens the chapter's first stepper at its third step, in the whole
// window; &stepper=2 selects the second one. The front page redirects from index.html?lesson=05&step=3&present.
{
  const asked = new URLSearchParams(location.search);
  /** The parameter `name` of the address as a number from 1; by default 1. */
  const number = (name) => Math.max(1, Math.floor(Number(asked.get(name))) || 1);

  const show = (root) => {
    const slider = root.querySelector('.controls input[type="range"]');
    slider.value = number("step") - 1; // at most the last step
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    if (!asked.has("present")) return root.host.scrollIntoView();
    const press = new KeyboardEvent("keydown", { key: "f", bubbles: true });
    root.querySelector(".stepper").dispatchEvent(press);
    slider.focus(); // keys and a clicker move this stepper
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
