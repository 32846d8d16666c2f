/** The part of StrykerJS' report that we read. Lines and columns begin with 1. */
export interface MutationReport {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly ReportedMutant[] }>>;
}

interface Place {
  readonly line: number;
  readonly column: number;
}

interface ReportedMutant {
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly status: string;
  readonly location: { readonly start: Place; readonly end: Place };
}

/** A mutant that no test noticed. */
export interface Survivor {
  readonly file: string;
  readonly line: number;
  /** The line that it begins in. */
  readonly text: string;
  /** In one line, without repeated white space. */
  readonly original: string;
  readonly replacement: string;
}

/** A survivor that no test can notice, and the reason. `text`: a part of the line. `original`: the beginning of the original text. */
export interface EquivalentMutant extends Omit<Survivor, 'line'> {
  readonly why: string;
}

export interface Outcome {
  /** Noticed: a test failed, or did not end. */
  readonly noticed: number;
  readonly survivors: readonly Survivor[];
}

const NOTICED = new Set(['Killed', 'Timeout']);
const SURVIVED = new Set(['Survived', 'NoCoverage']);

/** The results of the mutants. Mutants that do not compile, or were left out, are not counted. */
export const outcomeOf = (report: MutationReport): Outcome => {
  const mutants = Object.entries(report.files).flatMap(([file, { source, mutants: all }]) => all.map((mutant) => ({ file, source, ...mutant })));
  return {
    noticed: mutants.filter(({ status }) => NOTICED.has(status)).length,
    survivors: mutants
      .filter(({ status }) => SURVIVED.has(status))
      .map(({ file, source, location, replacement = '', mutatorName }) => ({
        file,
        line: location.start.line,
        text: oneLine(source.split('\n')[location.start.line - 1] ?? ''),
        original: oneLine(textAt(source, location)),
        replacement: oneLine(replacement) || mutatorName,
      })),
  };
};

/** Whether the survivor is one of the equivalent ones. */
export const isEquivalent = ({ file, text, original, replacement }: Survivor, equivalent: readonly EquivalentMutant[]): boolean =>
  equivalent.some((each) => each.file === file && text.includes(each.text) && original.startsWith(each.original) && each.replacement === replacement);

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

const textAt = (source: string, { start, end }: ReportedMutant['location']): string => {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const last = lines.length - 1;
  return lines.map((line, index) => line.slice(index === 0 ? start.column - 1 : 0, index === last ? end.column - 1 : undefined)).join('\n');
};
