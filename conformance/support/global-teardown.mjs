import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Ends the processes that still run, and removes what the run left behind; CONFORMANCE_KEEP=1 keeps the files. */
export default async () => {
  const directory = process.env.CONFORMANCE_RUN_DIR;
  if (!directory) return;
  const notes = readdirSync(directory, { recursive: true }).filter((path) => path.endsWith('.pid'));
  await Promise.all(notes.map((path) => end(Number(readFileSync(join(directory, path), 'utf8')))));
  if (process.env.CONFORMANCE_KEEP) console.log(`\nkept: ${directory}`);
  else rmSync(directory, { recursive: true, force: true });
};

/** Asks first, and insists after five seconds. */
const end = async (pid) => {
  try {
    process.kill(pid, 'SIGTERM');
    for (let i = 0; i < 50; i++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      process.kill(pid, 0);
    }
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has ended
  }
};
