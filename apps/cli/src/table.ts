import { onOneLine } from '#kernel';

/** Columns of text under headings, two spaces apart. */
export const table = (headings: readonly string[], rows: readonly (readonly unknown[])[]): string => {
  if (rows.length === 0) return 'None.';
  const lines = [headings, ...rows.map((row) => row.map(cell))];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => widthOf(line[column] ?? ''))));
  return lines
    .map((line) =>
      line
        .map((text, column) => pad(text, widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

/** One record, a line for each of its fields. */
export const fields = (entries: Readonly<Record<string, unknown>>): string => {
  const names = Object.keys(entries).filter((name) => entries[name] !== undefined);
  const width = Math.max(...names.map(widthOf));
  return names.map((name) => `${pad(name, width)}  ${cell(entries[name])}`).join('\n');
};

/** The text of a cell, without control characters, which could move the terminal's cursor. */
const cell = (value: unknown): string => {
  if (value === undefined || value === null) return '-';
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(cell).join(' ');
  const text = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : JSON.stringify(value);
  return onOneLine(text);
};

const widthOf = (text: string): number => [...text].length;

const pad = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)));
