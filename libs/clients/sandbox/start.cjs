'use strict';

const { enableCompileCache } = require('node:module');
const { join } = require('node:path');
const { setFlagsFromString } = require('node:v8');

// The space of new objects keeps its first size: it would grow to 32 MB during the start and keep them.
setFlagsFromString('--semi-space-growth-factor=1');
// Compiled code is kept within the package, so the next start need not compile it, and nothing lies elsewhere. In a folder that cannot be written, nothing is kept.
enableCompileCache(join(__dirname, '.compiled'));

void import('./dist/program/sandbox.js');
