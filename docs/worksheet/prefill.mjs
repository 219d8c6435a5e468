// What a new worksheet begins with: this machine, and the last results of each exercise.
//   node prefill.mjs CYCLELAB STATE > PREFILL.json
// CYCLELAB: the program, for `info` and its version; STATE: WORK/.state, where results are kept.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const [program, state] = process.argv.slice(2);
const WANTED = ['name', 'code name', 'architecture', 'virtual machine', 'cores', 'L1 data', 'L2', 'L3', 'tier'];

const said = (word) => execFileSync(program, [word], { encoding: 'utf8' });

// `make info` has lines of a name and what is known, two blanks and more between them.
function info() {
    const known = new Map();
    for (const line of said('info').split('\n')) {
        const [, name, text] = line.match(/^ {2}(\S.*?) {2,}(\S.*)$/) ?? [];
        if (name && !known.has(name))
            known.set(name, text);
    }
    return known;
}

// {score, max_score} of 03-branch-elimination.json, in words.
function result(name) {
    try {
        const { last, best } = JSON.parse(readFileSync(join(state, name), 'utf8'));
        const points = ({ score, max_score: most }) => (score === null || score === undefined ? 'no points yet' : `${score} of ${most} points`);
        return last ? `last check: ${last.verdict}, ${points(last)}; best so far: ${points(best)}` : '';
    } catch {
        return '';
    }
}

function names() {
    try {
        return readdirSync(state).filter((name) => /^\d\d-.*\.json$/.test(name)).sort();
    } catch {
        return [];
    }
}

const known = info();
console.log(JSON.stringify({
    machine: WANTED.filter((name) => known.has(name)).map((name) => `${name}: ${known.get(name)}`).join('\n'),
    tools: said('--version').trim(),
    exercises: names().map((name) => ({ program: `exercise ${name.replace('.json', '')}`, result: result(name) })).filter((row) => row.result),
}));
