/** `npm run bench` measures the throughput of one process, `npm run bench -- scale` how costs grow, `npm run bench -- start` a start over a backlog, `npm run bench -- macs` the share of MACs, `npm run bench -- distributed` a login of separate services, and `npm run bench -- flame` draws where the time goes. */
if (process.argv[2] === 'scale') await import('./scale/main.js');
else if (process.argv[2] === 'start') await import('./start/main.js');
else if (process.argv[2] === 'macs') await import('./macs/main.js');
else if (process.argv[2] === 'distributed') await import('./distributed/main.js');
else if (process.argv[2] === 'flame') await import('./flame/main.js');
else await import('./throughput.js');
