/** The directory of this run's data, logs and journal of secrets; removed at its end. */
export const runDirectory = (): string => {
  const directory = process.env['CONFORMANCE_RUN_DIR'];
  if (!directory) throw new Error('run the suite by its npm script: its global setup makes a directory');
  return directory;
};
