// Bundle src/index.ts to the one ES module that the Python package ships, and src/formulas.ts to a
// script that goes behind it where a page needs it.
//
// The widget and the stand-alone page load the same files, and a notebook may have no network, so
// the style sheet is inlined too. The output is committed; a test rebuilds it and compares bytes,
// hence exact versions in package.json and nothing here that depends on the machine.

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const outdir = process.argv[2] ?? here("../minigrad_viz/stepper/static");

/** `import css from "./x.css"` gives the minified text, for a shadow root to adopt. */
const cssAsText = {
  name: "css-as-text",
  setup(build) {
    build.onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      const { code } = await esbuild.transform(source, {
        loader: "css",
        minify: true,
        target: "es2022",
      });
      return { contents: code.trim(), loader: "text" };
    });
  },
};

const build = (entry, name, format) =>
  esbuild.build({
    absWorkingDir: here("."),
    entryPoints: [entry],
    outfile: `${outdir}/${name}`,
    bundle: true,
    format,
    target: "es2022",
    minify: true,
    charset: "utf8",
    legalComments: "none",
    banner: { js: "// Built from viz/frontend by `npm run build`: edit the sources there." },
    plugins: [cssAsText],
  });

await build("src/index.ts", "stepper.js", "esm");
await build("src/formulas.ts", "formulas.js", "iife");
