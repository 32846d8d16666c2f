/** Severities that fail the check. */
const FAILING: ReadonlySet<unknown> = new Set(['high', 'critical']);

export interface Verdict {
  readonly failed: boolean;
  readonly text: string;
}

/** Reads the output of `npm audit --json`. A registry that could not be asked is no failure of a package: the check says so, and passes. */
export const verdictOn = (output: string): Verdict => {
  const vulnerabilities = vulnerabilitiesIn(output);
  if (!vulnerabilities) return { failed: false, text: 'SKIPPED: the registry could not be asked for advisories. Nothing was checked.' };
  const found = Object.entries(vulnerabilities).flatMap(([name, { severity }]) => (FAILING.has(severity) ? [`${name}: ${String(severity)}`] : []));
  if (found.length === 0) return { failed: false, text: 'No package of production has a high or critical advisory.' };
  return { failed: true, text: [`Packages with a high or critical advisory (npm audit tells more):`, ...found].join('\n') };
};

/** Undefined for a report of an error, which has no list, and for any other text. */
const vulnerabilitiesIn = (output: string): Readonly<Record<string, { readonly severity?: unknown }>> | undefined => {
  try {
    const report = JSON.parse(output) as { readonly vulnerabilities?: Readonly<Record<string, { readonly severity?: unknown }>> } | null;
    return report?.vulnerabilities;
  } catch {
    return undefined;
  }
};
