// A program as it stands in an address, packed and unpacked: minigrad_viz/stepper/share.py does the same in Python.

/** Bytes of a program. What is packed can be a thousand times as large as it looks. */
export const LARGEST = 100_000;

const through = (bytes, stream) => new Blob([bytes]).stream().pipeThrough(stream).getReader();

/** All bytes of a stream, but no more than `most`; null if there are more. */
const gathered = async (reader, most) => {
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

/** The program as signs that an address may have; null if it is too large. */
export const packed = async (code) => {
  const bytes = new TextEncoder().encode(code);
  if (bytes.length > LARGEST) return null;
  const small = await gathered(through(bytes, new CompressionStream("deflate")), Infinity);
  const signs = btoa(Array.from(small, (byte) => String.fromCharCode(byte)).join(""));
  return signs.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
};

/** The program that was packed; null if it is damaged, or too large. */
export const unpacked = async (text) => {
  if (!/^[\w-]+$/.test(text)) return null;
  try {
    const signs = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(signs, (sign) => sign.charCodeAt(0));
    const code = await gathered(through(bytes, new DecompressionStream("deflate")), LARGEST);
    return code && new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(code);
  } catch {
    return null;
  }
};
