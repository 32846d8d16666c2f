import { chmod, readFile, rename, writeFile } from 'node:fs/promises';

const METRIC = 'countersign_store_scavenge_last_success_timestamp_seconds';
const HEAD = [`# HELP ${METRIC} When the store's space was last reclaimed on this node.`, `# TYPE ${METRIC} gauge`];

/**
 * Notes the success of a node in a file in Prometheus' text format, for a collector such as node_exporter's. The lines about other
 * nodes stay. `at`: epoch milliseconds.
 */
export const noteSuccess = async (path: string, node: string, at: number): Promise<void> => {
  const sample = `${METRIC}{node="${node}"}`;
  const others = (await read(path)).filter((line) => line.startsWith(`${METRIC}{`) && !line.startsWith(sample));
  const written = `${path}.${process.pid}.new`;
  await writeFile(written, [...HEAD, ...others, `${sample} ${Math.floor(at / 1000)}`, ''].join('\n'));
  // The collector runs as another user, and the file holds no secret.
  await chmod(written, 0o644);
  // A collector never reads half of it.
  await rename(written, path);
};

const read = async (path: string): Promise<readonly string[]> => {
  try {
    return (await readFile(path, 'utf8')).split('\n');
  } catch {
    return [];
  }
};
