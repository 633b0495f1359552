import type { Payload } from "./payload";

/** Whether a part is shown that a plain view leaves out. */
export const shows = ({ show }: Payload, part: string): boolean => show?.includes(part) ?? true;
