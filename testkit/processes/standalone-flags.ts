/** The flags of V8 with which the one process starts everywhere: by `npm start`, in the image, by systemd, in benchmarks and in tests (docs/adr/0100-the-heap-of-the-one-process.md). */
export const STANDALONE_FLAGS = ['--max-semi-space-size=64', '--heap-growing-percent=100'];
