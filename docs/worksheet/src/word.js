import { Document, HeadingLevel, Packer, Paragraph, Table, TableCell, TableRow, TextRun, WidthType } from 'docx';
import { COUNTER_COLUMNS, INVESTIGATION, SYSTEM, TITLE, rowsWithFigures } from './fields.js';

const lines = (text) => text.split('\n').map((line, i) => new TextRun({ text: line, break: i ? 1 : 0 }));

function table(rows) {
    const cells = (row, bold) => row.map((text) => new TableCell({ children: [new Paragraph({ children: [new TextRun({ text, bold })] })] }));
    return new Table({
        width: { size: 100, type: WidthType.PERCENTAGE },
        rows: [new TableRow({ tableHeader: true, children: cells(COUNTER_COLUMNS, true) }),
               ...rows.map((row) => new TableRow({ children: cells(row, false) }))],
    });
}

function blocks(fields, values) {
    return fields.flatMap(({ key, name, kind }) => [
        new Paragraph({ text: name, heading: HeadingLevel.HEADING_3 }),
        kind === 'counters' ? table(rowsWithFigures(values[key])) : new Paragraph({ children: lines(values[key]) }),
    ]);
}

// A Blob with the sheet as a Word document.
export function toWord(sheet) {
    const children = [new Paragraph({ text: TITLE, heading: HeadingLevel.TITLE }), ...blocks(SYSTEM, sheet.system)];
    sheet.investigations.forEach((entry, i) => {
        children.push(new Paragraph({ text: `Investigation ${i + 1}`, heading: HeadingLevel.HEADING_2 }), ...blocks(INVESTIGATION, entry));
    });
    return Packer.toBlob(new Document({ title: TITLE, sections: [{ children }] }));
}
