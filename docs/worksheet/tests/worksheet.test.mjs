// The worksheet as a person uses it, in headless Chromium without a network: fill in, reload, save and load, download, and what
// axe-core says. PAGE, CHROMIUM and OUT (a folder for downloads and pictures) come from the environment.
import assert from 'node:assert/strict';
import { access, readFile, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import puppeteer from 'puppeteer-core';

const { PAGE, CHROMIUM, OUT } = process.env;
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const RUSSIAN = 'Промахи кэша: ёж, «щука» и эхо';
let browser, page;
const asked = []; // of the network

before(async () => {
    browser = await puppeteer.launch({
        executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-dev-shm-usage'], protocolTimeout: 120000, timeout: 120000,
    });
    page = await browser.newPage();
    await page.setOfflineMode(true);
    page.on('request', (request) => {
        if (!/^(file|blob|data):/.test(request.url()))
            asked.push(request.url());
    });
    page.on('pageerror', (error) => asked.push(`error: ${error.message}`));
    page.on('dialog', (dialog) => dialog.accept());
    const session = await page.createCDPSession();
    await session.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: OUT });
    await page.goto(pathToFileURL(PAGE).href);
});
after(() => browser?.close());

const value = (selector) => page.$eval(selector, (input) => input.value);
const said = () => page.$eval('#said', (line) => line.textContent);

async function fill(selector, text) {
    await page.$eval(selector, (input) => { input.value = ''; });
    await page.type(selector, text);
}

async function downloaded(button, name) {
    await page.click(button);
    for (let i = 0; i < 300; i++) {
        try {
            await access(join(OUT, name));
            if ((await stat(join(OUT, name))).size > 0)
                return;
        } catch {
            // not yet
        }
        await new Promise((resolve) => { setTimeout(resolve, 100); });
    }
    assert.fail(`${name} was not downloaded: ${await said()}`);
}

test('it begins with this machine and the last results', async () => {
    const prefill = JSON.parse(await readFile(process.env.PREFILL, 'utf8'));
    assert.equal(await value('#system-machine'), prefill.machine);
    assert.equal((await page.$$('#investigations > section')).length, Math.max(1, prefill.exercises.length));
});

test('what is filled in comes back after a reload', async () => {
    await fill('#system-author', RUSSIAN);
    await fill('#i0-hypothesis', 'The chain through the accumulator binds.');
    await page.select('#i0-bottleneck', 'core: a chain of results');
    await fill('#i0-counters-0-1', '2.01');
    await fill('#i0-counters-0-2', '0.56');
    await page.click('#add');
    const last = (await page.$$('#investigations > section')).length - 1;
    await fill(`#i${last}-notes`, RUSSIAN);
    await page.waitForFunction(() => document.getElementById('said').textContent.startsWith('Draft saved'));
    await page.reload();
    assert.equal(await value('#system-author'), RUSSIAN);
    assert.equal(await value('#i0-bottleneck'), 'core: a chain of results');
    assert.equal(await value('#i0-counters-0-2'), '0.56');
    assert.equal(await value(`#i${last}-notes`), RUSSIAN);
});

test('it is saved to a file and loaded from it', async () => {
    await downloaded('#save', 'worksheet.json');
    await page.click('#new');
    assert.equal(await value('#system-author'), '');
    const file = await page.$('#file');
    await file.uploadFile(join(OUT, 'worksheet.json'));
    await page.waitForFunction(() => document.getElementById('said').textContent.includes('is loaded'));
    assert.equal(await value('#system-author'), RUSSIAN);
    assert.equal(await value('#i0-counters-0-1'), '2.01');
});

test('another file is refused in words, and nothing is lost', async () => {
    await writeFile(join(OUT, 'other.json'), '{"some": "thing"}');
    await (await page.$('#file')).uploadFile(join(OUT, 'other.json'));
    await page.waitForFunction(() => document.getElementById('said').textContent.includes('expected a worksheet'));
    assert.equal(await value('#system-author'), RUSSIAN);
});

test('Word, Excel and PDF are downloaded', async () => {
    await downloaded('#word', 'worksheet.docx');
    await downloaded('#excel', 'worksheet.xlsx');
    await downloaded('#pdf', 'worksheet.pdf');
});

for (const [width, height, scheme] of [[360, 740, 'light'], [1280, 900, 'light'], [1280, 900, 'dark']])
    test(`nothing serious from axe-core at ${width} pixels, ${scheme}`, async () => {
        await page.setViewport({ width, height });
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
        await page.screenshot({ path: join(OUT, `${width}-${scheme}.png`), fullPage: true });
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth), false, 'it scrolls sideways');
        await page.evaluate(await readFile(axe, 'utf8'));
        const { violations } = await page.evaluate(() => window.axe.run());
        const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
        assert.deepEqual(serious.map(({ id, nodes }) => [id, nodes[0].html]), []);
    });

test('the network was never asked, and nothing threw', () => {
    assert.deepEqual(asked, []);
});
