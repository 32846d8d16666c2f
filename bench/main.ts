/** `npm run bench` measures the throughput of one process, `npm run bench -- scale` how costs grow. */
if (process.argv[2] === 'scale') await import('./scale/main.js');
else await import('./throughput.js');
