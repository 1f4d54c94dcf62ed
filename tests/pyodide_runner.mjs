// Prints the value of one Python expression in Pyodide, which sees a folder of sources.
// node pyodide_runner.mjs PYODIDE_FOLDER SOURCES_FOLDER EXPRESSION
import { pathToFileURL } from "node:url";

const [pyodideFolder, sourcesFolder, expression] = process.argv.slice(2);
try {
  const { loadPyodide } = await import(pathToFileURL(`${pyodideFolder}/pyodide.mjs`).href);
  const pyodide = await loadPyodide();
  pyodide.mountNodeFS("/sources", sourcesFolder);
  pyodide.runPython(`
import sys, warnings
sys.path.insert(0, "/sources")
warnings.simplefilter("error")  # only now: Pyodide's own start-up warns
`);
  console.log(pyodide.runPython(expression));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
