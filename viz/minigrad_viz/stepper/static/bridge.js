// A widget without a view: it carries pushes from a stepper in a notebook's output to the kernel.
// viz/frontend/src/live.ts is the other end.
export default {
  initialize({ model }) {
    const waiting = new Map();
    const receive = ({ nudge, ...pushed }) => {
      waiting.get(nudge)?.(pushed);
      waiting.delete(nudge);
    };
    const carry = ({ detail }) => {
      if (detail.id !== model.get("stepper")) return;
      detail.live = true;
      if (!detail.push) return;
      const nudge = Math.random();
      waiting.set(nudge, detail.answer);
      model.send({ nudge, ...detail.push });
    };
    model.on("msg:custom", receive);
    document.addEventListener("minigrad-nudge", carry);
    document.dispatchEvent(new CustomEvent("minigrad-live"));
    return () => {
      model.off("msg:custom", receive);
      document.removeEventListener("minigrad-nudge", carry);
    };
  },
};
