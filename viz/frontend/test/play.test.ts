import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { player } from "../src/play";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function counting(limit: number): {
  count: () => number;
  says: boolean[];
  p: ReturnType<typeof player>;
} {
  let count = 0;
  const says: boolean[] = [];
  const p = player(
    () => ++count < limit,
    (playing) => says.push(playing),
  );
  return { count: () => count, says, p };
}

it("makes one move a second, then stops", () => {
  const { count, says, p } = counting(3);
  p.start();
  expect(count()).toBe(0);
  vi.advanceTimersByTime(2000);
  expect(count()).toBe(2);
  vi.advanceTimersByTime(9000);
  expect(count()).toBe(3);
  expect(says).toEqual([true, false]);
});

it("starting twice plays once", () => {
  const { count, says, p } = counting(9);
  p.start();
  p.start();
  vi.advanceTimersByTime(1000);
  p.stop();
  p.stop();
  vi.advanceTimersByTime(9000);
  expect(count()).toBe(1);
  expect(says).toEqual([true, false]);
});

it("changes its speed while playing", () => {
  const { count, p } = counting(99);
  p.start();
  p.setSpeed(4);
  vi.advanceTimersByTime(1000);
  expect(count()).toBe(4);
});
