/** The order of the files: by name, and the search for secrets after everything that could have spilled one. */
export default class SecrecyLast {
  sort(tests) {
    const last = ({ path }) => (path.includes('secrecy') ? 1 : 0);
    return [...tests].sort((a, b) => last(a) - last(b) || a.path.localeCompare(b.path));
  }

  shard(tests, { shardIndex, shardCount }) {
    return tests.filter((_, i) => i % shardCount === shardIndex - 1);
  }

  allFailedTests(tests) {
    return tests;
  }

  cacheResults() {}
}
