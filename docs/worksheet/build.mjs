// Builds the worksheet: one HTML page with everything in it.
//   node build.mjs PAGE.html PREFILL.json
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const [out, prefill] = process.argv.slice(2);
if (!out || !prefill) {
    console.error('usage: node build.mjs PAGE.html PREFILL.json');
    process.exit(2);
}
const here = dirname(fileURLToPath(import.meta.url));

// jsPDF can draw HTML and SVG with these; the worksheet draws text only.
const unused = {
    name: 'unused',
    setup(bundler) {
        bundler.onResolve({ filter: /^(html2canvas|canvg|dompurify)$/ }, ({ path }) => ({ path, namespace: 'unused' }));
        bundler.onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'export default undefined;' }));
    },
};
const bundle = await build({
    entryPoints: [join(here, 'src/main.js')], bundle: true, minify: true, write: false, format: 'iife', target: 'es2020', charset: 'utf8',
    legalComments: 'eof', loader: { '.ttf': 'base64' }, plugins: [unused], logLevel: 'warning',
});

// Nothing in a script may look like its end, or like the begin of a comment, and no page has characters that are none.
const script = bundle.outputFiles[0].text.replace(/<\/(script)/gi, '<\\/$1').replace(/<!--/g, '<\\!--')
    .replace(/[\ufdd0-\ufdef\ufffe\uffff]/g, (none) => `\\u${none.charCodeAt(0).toString(16)}`);
const data = JSON.stringify(JSON.parse(await readFile(prefill, 'utf8'))).replace(/</g, '\\u003c');
const parts = { '@STYLE@': await readFile(join(here, 'style.css'), 'utf8'), '@PREFILL@': data, '@SCRIPT@': script };
const page = (await readFile(join(here, 'page.html'), 'utf8')).replace(/@[A-Z]+@/g, (mark) => parts[mark]);
await writeFile(out, page);
