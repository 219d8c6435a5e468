import { COUNTER_COLUMNS, INVESTIGATION, SYSTEM, emptyInvestigation, emptySheet, readSheet } from './fields.js';
import { toWord } from './word.js';
import { toExcel } from './excel.js';
import { toPdf } from './pdf.js';

const DRAFT = 'cyclelab-worksheet';
const SAVE_AFTER = 300; // milliseconds of quiet

const at = (id) => document.getElementById(id);
const prefill = JSON.parse(at('prefill').textContent);
let sheet, timer;

function say(text, wrong = false) {
    at('said').textContent = text;
    at('said').classList.toggle('wrong', wrong);
}

// A new sheet has this machine and the last results in it.
function newSheet() {
    const fresh = emptySheet();
    fresh.system.date = new Date().toISOString().slice(0, 10);
    fresh.system.machine = prefill.machine;
    fresh.system.tools = prefill.tools;
    if (prefill.exercises.length)
        fresh.investigations = prefill.exercises.map(({ program, result }) => ({ ...emptyInvestigation(), program, result }));
    return fresh;
}

function saveDraft() {
    try {
        localStorage.setItem(DRAFT, JSON.stringify(sheet));
        say(`Draft saved in this browser at ${new Date().toLocaleTimeString()}`);
    } catch {
        say('This browser keeps no drafts here: save to a file before you close the page', true);
    }
}

function changed() {
    clearTimeout(timer);
    timer = setTimeout(saveDraft, SAVE_AFTER);
}

function make(tag, properties = {}, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
}

function control(field, values, id) {
    const { key, kind } = field;
    const input = kind === 'choice' ? make('select', {}, ...field.choices.map((choice) => make('option', { value: choice, textContent: choice || 'choose' })))
        : make(kind === 'line' ? 'input' : 'textarea', kind === 'line' ? { type: 'text' } : { rows: 3 });
    input.id = id;
    input.value = values[key];
    if (field.help)
        input.setAttribute('aria-describedby', `${id}-help`);
    input.addEventListener('input', () => {
        values[key] = input.value;
        changed();
    });
    return input;
}

function counterTable(values, id, redraw) {
    const body = make('tbody');
    values.counters.forEach((row, r) => {
        const cells = row.map((text, c) => {
            const input = make('input', { type: 'text', value: text, id: `${id}-${r}-${c}` });
            input.setAttribute('aria-label', c ? `${row[0] || `row ${r + 1}`}, ${COUNTER_COLUMNS[c].toLowerCase()}` : `name of counter ${r + 1}`);
            if (c)
                input.inputMode = 'decimal';
            input.addEventListener('input', () => {
                row[c] = input.value;
                changed();
            });
            return make('td', {}, input);
        });
        body.append(make('tr', {}, ...cells));
    });
    const heads = COUNTER_COLUMNS.map((text) => make('th', { scope: 'col', textContent: text }));
    const more = make('button', { type: 'button', textContent: 'Add a counter' });
    more.addEventListener('click', () => {
        values.counters.push(['', '', '']);
        redraw();
        at(`${id}-${values.counters.length - 1}-0`).focus();
        changed();
    });
    return make('div', { className: 'counters' }, make('table', {}, make('thead', {}, make('tr', {}, ...heads)), body), more);
}

function drawFields(fields, values, prefix, redraw) {
    return fields.map((field) => {
        const id = `${prefix}-${field.key}`;
        const help = field.help ? [make('p', { className: 'help', id: `${id}-help`, textContent: field.help })] : [];
        if (field.kind === 'counters')
            return make('fieldset', {}, make('legend', { textContent: field.name }), ...help, counterTable(values, id, redraw));
        return make('div', { className: 'field' }, make('label', { htmlFor: id, textContent: field.name }), ...help, control(field, values, id));
    });
}

function draw() {
    at('system').replaceChildren(...drawFields(SYSTEM, sheet.system, 'system', draw));
    at('investigations').replaceChildren(...sheet.investigations.map((entry, i) => {
        const remove = make('button', { type: 'button', className: 'remove', textContent: `Remove investigation ${i + 1}` });
        remove.addEventListener('click', () => {
            if (!confirm(`Remove investigation ${i + 1} and all that is in it?`))
                return;
            sheet.investigations.splice(i, 1);
            draw();
            changed();
        });
        const heading = make('h2', { id: `investigation-${i}`, textContent: `Investigation ${i + 1}` });
        const section = make('section', {}, heading, ...drawFields(INVESTIGATION, entry, `i${i}`, draw), remove);
        section.setAttribute('aria-labelledby', heading.id);
        return section;
    }));
}

function download(blob, name) {
    const link = make('a', { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

function onClick(id, action) {
    at(id).addEventListener('click', async () => {
        try {
            await action();
        } catch (error) {
            say(`That did not work: ${error.message}`, true);
        }
    });
}

onClick('add', () => {
    sheet.investigations.push(emptyInvestigation());
    draw();
    at(`i${sheet.investigations.length - 1}-program`).focus();
    changed();
});
onClick('new', () => {
    if (confirm('Begin anew? What is here and not saved to a file is lost.')) {
        sheet = newSheet();
        draw();
        saveDraft();
    }
});
onClick('save', () => download(new Blob([JSON.stringify(sheet, null, 1)], { type: 'application/json' }), 'worksheet.json'));
onClick('load', () => at('file').click());
onClick('word', async () => download(await toWord(sheet), 'worksheet.docx'));
onClick('excel', async () => download(await toExcel(sheet), 'worksheet.xlsx'));
onClick('pdf', () => download(toPdf(sheet), 'worksheet.pdf'));
at('file').addEventListener('change', async (event) => {
    const [file] = event.target.files;
    if (!file)
        return;
    try {
        sheet = readSheet(await file.text());
        draw();
        saveDraft();
        say(`${file.name} is loaded`);
    } catch (error) {
        say(`${file.name}: ${error.message}`, true);
    }
    event.target.value = '';
});
window.addEventListener('pagehide', () => {
    clearTimeout(timer);
    saveDraft();
});

try {
    sheet = readSheet(localStorage.getItem(DRAFT));
    say('Your draft is here again');
} catch {
    sheet = newSheet();
    say('Drafts save themselves in this browser. Nothing is uploaded.');
}
draw();
