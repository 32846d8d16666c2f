import { isEquivalent, type EquivalentMutant, type MutationReport, outcomeOf } from './report.ts';

/** What a run found in one file. */
interface FileFigures {
  readonly file: string;
  readonly judged: number;
  readonly noticed: number;
  readonly equivalent: number;
}

const HEAD = '| File | Changes | Noticed | Equivalent |\n| --- | ---: | ---: | ---: |\n';
const BEGIN = '<!-- figures -->\n\n';
const END = '<!-- end of figures -->';

/** Of each file of the report. Files without a change that could be judged are left out. */
export const figuresOf = ({ files }: MutationReport, equivalent: readonly EquivalentMutant[]): readonly FileFigures[] =>
  Object.entries(files)
    .map(([file, contents]) => {
      const { noticed, survivors } = outcomeOf({ files: { [file]: contents } });
      return {
        file,
        judged: noticed + survivors.length,
        noticed,
        equivalent: survivors.filter((survivor) => isEquivalent(survivor, equivalent)).length,
      };
    })
    .filter(({ judged }) => judged > 0);

/** The document with these rows in its table, in the order of the files, and the rows of other files as they were. */
export const withFigures = (document: string, figures: readonly FileFigures[]): string => {
  const [before = '', rest = ''] = document.split(BEGIN);
  const [table = '', after = ''] = rest.split(END);
  const rows = new Map(
    table
      .slice(HEAD.length)
      .split('\n')
      .filter((row) => row !== '')
      .map((row) => [/`([^`]+)`/.exec(row)?.[1] ?? '', row]),
  );
  for (const { file, judged, noticed, equivalent } of figures) rows.set(file, `| \`${file}\` | ${judged} | ${noticed} | ${equivalent} |`);
  const sorted = [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => `${row}\n`);
  return `${before}${BEGIN}${HEAD}${sorted.join('')}\n${END}${after}`;
};
