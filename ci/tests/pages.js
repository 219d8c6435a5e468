// pages.js FOLDER CHROMIUM SHOTS PAGE...: each page as a browser has it, narrow and dark, then wide and light, with all that is
// folded unfolded: what axe-core says, whether it scrolls sideways, what it asks of a network, what its scripts say; and its
// pictures in SHOTS. FOLDER has node_modules/ with axe-core and puppeteer-core. Prints `KIND PAGE: what` for what is wrong (axe,
// wide, network, missing, script); the last line is the number of pages.
'use strict';
const fs = require('fs');
const path = require('path');
const { pathToFileURL } = require('url');
const [folder, chromium, shots, ...given] = process.argv.slice(2);
const pages = given.map((file) => path.resolve(file));
const puppeteer = require(`${folder}/node_modules/puppeteer-core`);
const axe = fs.readFileSync(`${folder}/node_modules/axe-core/axe.min.js`, 'utf8');
const VIEWS = [[360, 'dark'], [1280, 'light']];
const TALL = 1600; // pixels of a page that its picture shows

const common = pages.map((file) => path.dirname(file)).reduce((one, other) => {
    while (!`${other}/`.startsWith(one === '/' ? one : `${one}/`))
        one = path.dirname(one);
    return one;
});

async function look(page, file) {
    const said = [];
    page.on('request', (request) => {
        if (!/^(file|blob|data):/.test(request.url()))
            said.push(`network ${file}: ${request.url()}`);
    });
    page.on('requestfailed', (request) => said.push(`missing ${file}: ${request.url()}`));
    page.on('pageerror', (error) => said.push(`script ${file}: ${error.message}`));
    await page.setBypassCSP(true); // for axe-core
    for (const [width, scheme] of VIEWS) {
        const first = width === VIEWS[0][0];
        await page.setViewport({ width, height: 800 });
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
        if (first)
            await page.goto(pathToFileURL(file).href);
        const [wide, tall] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]);
        const name = path.relative(common, file).replace(/\W/g, '-').replace(/-html$/, '');
        await page.screenshot({
            path: path.join(shots, `${name}-${width}.png`), clip: { x: 0, y: 0, width, height: Math.min(TALL, tall) }, captureBeyondViewport: true,
            optimizeForSpeed: true,
        });
        const wider = await page.evaluate(() => {
            for (const folded of document.querySelectorAll('details'))
                folded.open = true;
            return document.documentElement.scrollWidth;
        });
        if (Math.max(wide, wider) > width)
            said.push(`wide ${file}: ${Math.max(wide, wider)} pixels at ${width}`);
        // What depends on the width or the colours alone is asked of the second view.
        if (first)
            await page.evaluate(axe);
        const found = await page.evaluate((rules) => axe.run({ resultTypes: ['violations'], preload: false, ...rules }),
            first ? {} : { runOnly: ['color-contrast', 'scrollable-region-focusable'] });
        for (const one of found.violations)
            if (['serious', 'critical'].includes(one.impact))
                said.push(`axe ${file}: ${scheme}, ${width} pixels: ${one.impact}: ${one.help}: ${one.nodes[0].html.slice(0, 200)}`);
    }
    return said;
}

// From the start page by its form to the section that a search finds first.
async function search(page, file) {
    await page.goto(pathToFileURL(file.replace('search.html', 'index.html')).href);
    await page.type('header input', 'csel BRANCH elimination');
    await Promise.all([page.waitForNavigation(), page.click('header button')]);
    const [link, said] = await page.evaluate(() => [document.querySelector('dt a')?.href, document.getElementById('said').textContent]);
    if (!/exercises\/03-branch-elimination\/index\.html/.test(link) || !/^\d+ places?$/.test(said))
        return [`script ${file}: a search led to ${link} and said: ${said}`];
    await page.goto(link);
    return await page.evaluate(() => !location.hash || Boolean(document.querySelector(location.hash))) ? [] : [`script ${file}: no section ${link}`];
}

(async () => {
    fs.mkdirSync(shots, { recursive: true });
    const browser = await puppeteer.launch({
        executablePath: chromium, args: ['--no-sandbox', '--disable-dev-shm-usage', '--host-resolver-rules=MAP * ~NOTFOUND'],
    });
    let looked = 0;
    try {
        for (const file of pages) {
            const page = await browser.newPage();
            for (const line of await look(page, file))
                console.log(line);
            if (path.basename(file) === 'search.html')
                (await search(page, file)).forEach((line) => console.log(line));
            await page.close();
            looked++;
        }
    } finally {
        await browser.close();
    }
    console.log(looked);
})();
