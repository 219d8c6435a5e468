// Search without a server: `pages`, from index.js, are [address, title, [[anchor, heading, text], ...]]. A section is found
// where each of the words stands in its text, its heading or its page's title.
'use strict';
const MOST = 40, AROUND = 90;
const words = (new URLSearchParams(location.search).get('q') || '').toLowerCase().split(/\s+/).filter(Boolean);

// How much a section is about the words; 0: not all are there.
function weight(title, heading, text) {
    let sum = 0;
    for (const word of words) {
        const found = 8 * title.includes(word) + 4 * heading.includes(word) + Math.min(3, text.split(word).length - 1);
        if (!found)
            return 0;
        sum += found;
    }
    return sum;
}

// Some of the text around the first word, with the words marked.
function excerpt(text) {
    const lower = text.toLowerCase();
    const word = Math.min(...words.map((one) => lower.indexOf(one)).filter((at) => at >= 0), lower.length);
    const first = word > AROUND ? lower.indexOf(' ', word - AROUND) + 1 : 0;
    const part = text.slice(first, first + 2 * AROUND + 60), line = document.createElement('dd');
    let at = 0;
    while (at < part.length) {
        const places = words.map((word) => [part.toLowerCase().indexOf(word, at), word.length]).filter(([place]) => place >= 0);
        const [place, length] = places.sort((a, b) => a[0] - b[0])[0] || [part.length, 0];
        const mark = document.createElement('mark');
        mark.textContent = part.slice(place, place + length);
        line.append(part.slice(at, place), ...(length ? [mark] : []));
        at = place + Math.max(length, 1);
    }
    return line;
}

const found = [];
for (const [address, title, sections] of pages)
    for (const [anchor, heading, text] of sections) {
        const much = words.length ? weight(title.toLowerCase(), heading.toLowerCase(), text.toLowerCase()) : 0;
        if (much)
            found.push({much, address: address + (anchor ? '#' + anchor : ''), name: heading && heading !== title ? `${title}: ${heading}` : title, text});
    }
found.sort((a, b) => b.much - a.much);

document.querySelector('main input').value = words.join(' ');
const list = document.createElement('dl');
for (const one of found.slice(0, MOST)) {
    const term = document.createElement('dt'), link = document.createElement('a');
    link.href = one.address;
    link.textContent = one.name;
    term.append(link);
    list.append(term, excerpt(one.text));
}
const said = document.getElementById('said');
if (words.length)
    said.textContent = found.length ? `${found.length} place${found.length > 1 ? 's' : ''}${found.length > MOST ? `, the first ${MOST} of them` : ''}` : 'Nothing has all of these words.';
if (found.length)
    said.after(list);
