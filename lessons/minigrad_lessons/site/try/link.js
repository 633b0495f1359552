// Pack a program into an address and unpack it, as minigrad_viz/stepper/share.py does in Python.

/** The size limit of a program in bytes: a packed one may grow a thousandfold. */
export const LARGEST = 100_000;

const through = (bytes, stream) => new Blob([bytes]).stream().pipeThrough(stream).getReader();

/** Read all bytes of a stream; null if there are more than `most`. */
const readAll = async (reader, most) => {
  const parts = [];
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.length;
    if (size > most) {
      await reader.cancel();
      return null;
    }
    parts.push(next.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
};

/** Encode a program with characters that an address may contain; null if it is too large. */
export const pack = async (code) => {
  const bytes = new TextEncoder().encode(code);
  if (bytes.length > LARGEST) return null;
  const small = await readAll(through(bytes, new CompressionStream("deflate")), Infinity);
  const signs = btoa(Array.from(small, (byte) => String.fromCharCode(byte)).join(""));
  return signs.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
};

/** Decode a packed program; null if it is damaged or too large. */
export const unpack = async (text) => {
  if (!/^[\w-]+$/.test(text)) return null;
  try {
    const signs = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(signs, (sign) => sign.charCodeAt(0));
    const code = await readAll(through(bytes, new DecompressionStream("deflate")), LARGEST);
    return code && new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(code);
  } catch {
    return null;
  }
};
