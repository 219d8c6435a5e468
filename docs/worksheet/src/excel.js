import writeExcelFile from 'write-excel-file/browser';
import { COUNTER_COLUMNS, INVESTIGATION, SYSTEM, rowsWithFigures } from './fields.js';

const text = (value, more = {}) => ({ type: String, value, wrap: true, alignVertical: 'top', ...more });
const figure = (value) => (value.trim() !== '' && Number.isFinite(Number(value)) ? { type: Number, value: Number(value) } : text(value));

function rows(fields, values) {
    return fields.flatMap(({ key, name, kind }) => (kind === 'counters'
        ? [COUNTER_COLUMNS.map((column) => text(column, { fontWeight: 'bold' })),
           ...rowsWithFigures(values[key]).map(([counter, before, after]) => [text(counter), figure(before), figure(after)])]
        : [[text(name, { fontWeight: 'bold' }), text(values[key])]]));
}

// A Blob with the sheet as a workbook: the system, then a sheet for each investigation.
export function toExcel(sheet) {
    const columns = [{ width: 24 }, { width: 60 }, { width: 20 }];
    const sheets = [{ sheet: 'System', columns, data: rows(SYSTEM, sheet.system) }];
    sheet.investigations.forEach((entry, i) => sheets.push({ sheet: `Investigation ${i + 1}`, columns, data: rows(INVESTIGATION, entry) }));
    return writeExcelFile(sheets).toBlob();
}
