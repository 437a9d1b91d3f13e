// Tables as comma-separated values (RFC 4180): read with the place of whatever is wrong, and written.

export interface Table { columns: string[]; rows: string[][] }

/** As large as a table may be, and as many rows as it may have. */
export const BYTES_MAX = 16 * 1024 * 1024;
export const ROWS_MAX = 200_000;

/** What is wrong with a table, and where: both from 1, columns counted in characters. */
export class CsvError extends Error {
  constructor(line: number, column: number, what: string) {
    super(`line ${line}, column ${column}: ${what}`);
  }
}

/** Reads a table whose first record names its columns; each further one has as many fields. */
export function readCsv(text: string): Table {
  const records = readRecords(text.replace(/^\uFEFF/, ''));
  const [columns, ...rows] = records.map(({ fields }) => fields);
  if (!columns) throw new CsvError(1, 1, 'expected the names of the columns, found an empty file');
  const twice = columns.find((name, index) => columns.indexOf(name) !== index);
  if (twice !== undefined) throw new CsvError(1, 1, `expected each column once, found \`${twice}\` twice`);
  for (const { fields, line } of records) {
    if (fields.length !== columns.length) throw new CsvError(line, 1, `expected ${columns.length} fields as in the first line, found ${fields.length}`);
  }
  if (rows.length > ROWS_MAX) throw new CsvError(records[ROWS_MAX + 1]?.line ?? 1, 1, `expected at most ${ROWS_MAX} rows, found ${rows.length}; take a part of the table`);
  return { columns, rows };
}

interface Record { fields: string[]; line: number }

/** Where a reader stands in a text. */
class Reader {
  at = 0;
  line = 1;
  #began = 0;
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  get column(): number {
    return this.at - this.#began + 1;
  }
  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }
  wrong(what: string): CsvError {
    return new CsvError(this.line, this.column, what);
  }
  /** Takes an end of line, if one is next. */
  takeEnd(): boolean {
    const long = this.text.startsWith('\r\n', this.at) ? 2 : this.text[this.at] === '\n' ? 1 : 0;
    if (long === 0) return false;
    this.passed(this.at + long);
    return true;
  }
  passed(to: number): void {
    for (let end = this.text.indexOf('\n', this.at); end >= 0 && end < to; end = this.text.indexOf('\n', end + 1)) {
      this.line += 1;
      this.#began = end + 1;
    }
    this.at = to;
  }
}

function readRecords(text: string): Record[] {
  const reader = new Reader(text);
  const records: Record[] = [];
  while (!reader.isAtEnd) {
    const record: Record = { fields: [], line: reader.line };
    for (;;) {
      record.fields.push(text[reader.at] === '"' ? quoted(reader) : plain(reader));
      if (text[reader.at] !== ',') break;
      reader.at += 1;
    }
    if (!reader.isAtEnd && !reader.takeEnd()) throw reader.wrong(`expected a comma or the end of the line, found \`${text[reader.at]}\``);
    records.push(record);
  }
  return records;
}

function plain(reader: Reader): string {
  const from = reader.at;
  while (!reader.isAtEnd && !/[,\r\n"]/.test(reader.text[reader.at] ?? '')) reader.at += 1;
  if (reader.text[reader.at] === '"') throw reader.wrong('expected quotes around the whole field, found them within it');
  return reader.text.slice(from, reader.at);
}

function quoted(reader: Reader): string {
  const began = reader.wrong('expected closing quotes, found the end of the file; the field began here');
  let field = '';
  for (let from = reader.at + 1; ;) {
    const end = reader.text.indexOf('"', from);
    if (end < 0) throw began;
    field += reader.text.slice(from, end);
    reader.passed(end + 1);
    // Two quotes are one within the field.
    if (reader.text[end + 1] !== '"') return field;
    field += '"';
    reader.at = from = end + 2;
  }
}

const cell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A table as text, as a spreadsheet reads it. */
export const writeCsv = ({ columns, rows }: Table): string => [columns, ...rows].map((fields) => `${fields.map(cell).join(',')}\r\n`).join('');
