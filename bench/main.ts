/** `npm run bench` measures the throughput of one process, `npm run bench -- scale` how costs grow, `npm run bench -- start` a start over a backlog, `npm run bench -- macs` the share of MACs. */
if (process.argv[2] === 'scale') await import('./scale/main.js');
else if (process.argv[2] === 'start') await import('./start/main.js');
else if (process.argv[2] === 'macs') await import('./macs/main.js');
else await import('./throughput.js');
