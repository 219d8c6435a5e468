import { jsPDF } from 'jspdf';
import regular from 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf';
import { COUNTER_COLUMNS, INVESTIGATION, SYSTEM, TITLE, rowsWithFigures } from './fields.js';

const WIDTH = 210, HEIGHT = 297, MARGIN = 18, LEADING = 1.35, POINT = 25.4 / 72; // millimetres

// A Blob with the sheet as PDF. The font has Latin, Greek and Cyrillic.
export function toPdf(sheet) {
    const pdf = new jsPDF({ unit: 'mm', format: 'a4', compress: true });
    pdf.addFileToVFS('DejaVuSans.ttf', regular);
    pdf.addFont('DejaVuSans.ttf', 'DejaVuSans', 'normal', undefined, 'Identity-H');
    pdf.setFont('DejaVuSans');
    pdf.setDocumentProperties({ title: TITLE });
    let y = MARGIN;

    function put(text, size, { left = MARGIN, width = WIDTH - MARGIN - left, before = 0, grey = 0 } = {}) {
        pdf.setFontSize(size);
        pdf.setTextColor(grey);
        y += before;
        for (const line of pdf.splitTextToSize(text || ' ', width)) {
            y += size * POINT * LEADING;
            if (y > HEIGHT - MARGIN) {
                pdf.addPage();
                y = MARGIN + size * POINT * LEADING;
            }
            pdf.text(line, left, y);
        }
    }

    function putTable(rows) {
        const column = (WIDTH - 2 * MARGIN) / COUNTER_COLUMNS.length;
        for (const row of [COUNTER_COLUMNS, ...rows]) {
            const top = y;
            let bottom = y;
            row.forEach((cell, i) => {
                y = top;
                put(cell, 10, { left: MARGIN + i * column, width: column - 4, grey: row === COUNTER_COLUMNS ? 90 : 0 });
                bottom = y > top ? Math.max(bottom, y) : y; // a page may have ended in between
            });
            y = bottom;
        }
    }

    function putFields(fields, values) {
        for (const { key, name, kind } of fields) {
            put(name, 10, { before: 3, grey: 90 });
            if (kind === 'counters')
                putTable(rowsWithFigures(values[key]));
            else
                put(values[key], 11);
        }
    }

    put(TITLE, 20);
    putFields(SYSTEM, sheet.system);
    sheet.investigations.forEach((entry, i) => {
        put(`Investigation ${i + 1}`, 15, { before: 8 });
        putFields(INVESTIGATION, entry);
    });
    return pdf.output('blob');
}
