// What the worksheet asks: one table, from which the page and all three downloads are made.

export const TITLE = 'Profiling worksheet';

// kind: line (one line of text), text (several), choice (one of `choices`), counters (rows of a name and two figures)
export const SYSTEM = [
    { key: 'author', name: 'Name', kind: 'line' },
    { key: 'date', name: 'Date', kind: 'line' },
    { key: 'machine', name: 'System', kind: 'text', help: 'Processor, clock, caches, operating system, compiler and flags' },
    { key: 'tools', name: 'Tools', kind: 'text', help: 'What measured: perf, make explain, a timer of your own; how often, how warm' },
];

export const INVESTIGATION = [
    { key: 'program', name: 'Program and input', kind: 'line', help: 'Which function, on which data' },
    { key: 'hypothesis', name: 'Hypothesis', kind: 'text', help: 'What do you think is the bound, and how would you notice that you are wrong?' },
    { key: 'counters', name: 'Counters', kind: 'counters', help: 'One row each: before and after the change, for an element or for 1,000 instructions' },
    {
        key: 'bottleneck', name: 'Bottleneck', kind: 'choice',
        choices: ['', 'bad speculation: mispredicted branches', 'memory: latency', 'memory: bandwidth', 'memory: address translation',
                  'core: a chain of results', 'core: ports', 'front end', 'retiring: too many instructions', 'outside: kernel, input and output, locks'],
    },
    { key: 'change', name: 'Change', kind: 'text', help: 'One change, and why it should help' },
    { key: 'result', name: 'Result', kind: 'text', help: 'Speedup with its spread, side by side with the old version' },
    { key: 'notes', name: 'Notes', kind: 'text', help: 'What surprised you; what comes next' },
];

export const COUNTER_COLUMNS = ['Counter', 'Before', 'After'];
export const COUNTERS = ['cycles', 'instructions', 'branch misses', 'L1D misses', 'LLC misses'];

export function emptyInvestigation() {
    const entry = Object.fromEntries(INVESTIGATION.map((field) => [field.key, '']));
    entry.counters = COUNTERS.map((name) => [name, '', '']);
    return entry;
}

export function emptySheet() {
    return { worksheet: 1, system: Object.fromEntries(SYSTEM.map((field) => [field.key, ''])), investigations: [emptyInvestigation()] };
}

const isText = (value) => typeof value === 'string';

// A sheet from a file or from the browser's memory; throws what is wrong with it, in words.
export function readSheet(text) {
    let sheet;
    try {
        sheet = JSON.parse(text);
    } catch {
        throw new Error('expected a file that this page has saved, found something else');
    }
    if (sheet?.worksheet !== 1 || typeof sheet.system !== 'object' || !Array.isArray(sheet.investigations))
        throw new Error('expected a worksheet (version 1), found another file');
    const clean = emptySheet();
    for (const { key } of SYSTEM)
        clean.system[key] = isText(sheet.system?.[key]) ? sheet.system[key] : '';
    clean.investigations = sheet.investigations.map((entry) => {
        const investigation = emptyInvestigation();
        for (const { key, kind } of INVESTIGATION)
            if (kind !== 'counters' && isText(entry?.[key]))
                investigation[key] = entry[key];
        if (Array.isArray(entry?.counters))
            investigation.counters = entry.counters.filter(Array.isArray)
                .map((row) => COUNTER_COLUMNS.map((_, i) => (isText(row[i]) ? row[i] : '')));
        return investigation;
    });
    return clean;
}

export const rowsWithFigures = (counters) => counters.filter(([, before, after]) => before || after);
