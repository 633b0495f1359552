// Bundle src/index.ts and src/sliders.ts to the two ES modules that the Python package ships, and
// src/formulas.ts to a script that a page loads after the first one if it needs it.
//
// The widget and the stand-alone page load the same files. A notebook may have no network, so the
// style sheets are inlined. The output is committed, and a test rebuilds it and compares bytes, so
// package.json has exact versions and nothing here depends on the machine.

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const outdir = process.argv[2] ?? here("../minigrad_viz");

/** `import css from "./x.css"` imports the minified text, which a shadow root adopts. */
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

await build("src/index.ts", "stepper/static/stepper.js", "esm");
await build("src/formulas.ts", "stepper/static/formulas.js", "iife");
await build("src/sliders.ts", "plots/static/sliders.js", "esm");
