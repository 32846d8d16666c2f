import { readFileSync } from 'node:fs';

/** Of a second, in /proc/<pid>/stat: USER_HZ is 100 on every Linux that Node runs on. */
const TICKS = 100;

/** Seconds of processor time that the process or thread of this folder in /proc has used so far, or undefined where the system does not say (only Linux does). */
export const processorSeconds = (folder: string): number | undefined => {
  try {
    // proc(5): fields 14 and 15, counted behind the name, which may hold anything.
    const fields = readFileSync(`/proc/${folder}/stat`, 'utf8')
      .replace(/\(.*\)/, '-')
      .split(' ');
    return (Number(fields[13]) + Number(fields[14])) / TICKS;
  } catch {
    return undefined;
  }
};
