/** Whoever takes engines away disturbs whoever comes after; the search for secrets comes after everything that could have spilled one. */
const LAST = ['engines-lost', 'secrecy'];

/** The order of the files: by name, but for the last. */
export default class SecrecyLast {
  sort(tests) {
    const last = ({ path }) => LAST.findIndex((name) => path.includes(name));
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
