// Bundles the page: make.mjs FOLDER writes page.js, page.css and licences.txt there. scripts/make_page.sh runs it.
import { build } from 'esbuild';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url)), folder = process.argv[2];
process.chdir(here);
const made = await build({
  entryPoints: ['source/main.jsx', 'source/style.css'],
  outdir: folder, entryNames: '[name]', write: false, metafile: true,
  bundle: true, minify: true, format: 'iife', target: 'es2022', charset: 'ascii', legalComments: 'inline',
  // Lines of a length that editors and diffs bear.
  lineLimit: 400,
  jsx: 'automatic', jsxImportSource: 'preact', logLevel: 'warning',
});

// The licences of the packages that are in it, which they want kept with every copy: pages carry them too. Texts
// that differ in the line of the copyright alone stand once.
const packages = [...new Set(Object.values(made.metafile.outputs).flatMap((output) => Object.entries(output.inputs)
  .filter(([, input]) => input.bytesInOutput > 0)
  .map(([path]) => path.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1])).filter(Boolean))].sort();
const texts = new Map();
for (const name of packages) {
  const { version } = JSON.parse(readFileSync(join('node_modules', name, 'package.json'), 'utf8'));
  const lines = readFileSync(join('node_modules', name, 'LICENSE'), 'utf8').trim().split(/\r?\n/).map((line) => line.trimEnd());
  const owner = lines.find((line) => line.startsWith('Copyright'));
  const text = lines.filter((line) => line !== owner).join('\n').trim().replace(/\n{3,}/g, '\n\n');
  texts.set(text, [...(texts.get(text) || []), `${name} ${version}: ${owner}`]);
}
const licences = [...texts].map(([text, names]) => names.join('\n') + '\n\n' + text).join('\n\n\n') + '\n';
if (licences.includes('*/')) throw new Error('a licence ends the comment that holds it');

mkdirSync(folder, { recursive: true });
const output = (end) => made.outputFiles.find((file) => file.path.endsWith(end)).text;
writeFileSync(join(folder, 'page.js'), '/*! Made by scripts/make_page.sh of src/report/page/source and these packages:\n\n' + licences + '*/\n' + output('.js'));
writeFileSync(join(folder, 'page.css'), '/* Made by scripts/make_page.sh of src/report/page/source. */\n' + output('.css'));
writeFileSync(join(folder, 'licences.txt'), licences);
