// axe.js FOLDER CHROMIUM PAGE...: axe-core and a look at the width, in the light and in the dark, at 360 and 1280 pixels.
// FOLDER has node_modules/ with axe-core and puppeteer-core.
const [folder, chromium, ...pages] = process.argv.slice(2);
const fs = require('fs');
const puppeteer = require(`${folder}/node_modules/puppeteer-core`);
const axe = fs.readFileSync(`${folder}/node_modules/axe-core/axe.min.js`, 'utf8');

(async () => {
    const browser = await puppeteer.launch({executablePath: chromium, args: ['--no-sandbox']});
    let bad = 0;
    for (const file of pages)
        for (const scheme of ['light', 'dark'])
            for (const width of [360, 1280]) {
                const page = await browser.newPage();
                await page.setBypassCSP(true);
                await page.setViewport({width, height: 800});
                await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: scheme}]);
                await page.goto(`file://${file}`);
                await page.evaluate(axe);
                const found = await page.evaluate(() => axe.run());
                const wide = await page.evaluate(() => document.documentElement.scrollWidth);
                for (const one of found.violations) {
                    console.log(`${file}, ${scheme}, ${width}: ${one.impact} ${one.id}: ${one.nodes[0].html}`);
                    bad += one.impact === 'serious' || one.impact === 'critical';
                }
                if (wide > width) {
                    console.log(`${file}: ${wide} pixels wide at ${width}`);
                    bad++;
                }
                await page.close();
            }
    await browser.close();
    process.exit(bad ? 1 : 0);
})();
