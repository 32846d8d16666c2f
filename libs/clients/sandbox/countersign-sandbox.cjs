#!/usr/bin/env node
// Every Node can read this file, so that an old one says what it lacks.
'use strict';

var OLDEST = '22.13';

/** Whether a version of Node is at least another one. */
function isAtLeast(version, oldest) {
  var found = version.split('.').map(Number);
  var wanted = oldest.split('.').map(Number);
  return found[0] > wanted[0] || (found[0] === wanted[0] && found[1] >= wanted[1]);
}

if (isAtLeast(process.versions.node, OLDEST)) {
  require('./start.cjs');
} else {
  process.stderr.write('The Countersign sandbox needs Node ' + OLDEST + ' or later, and this is Node ' + process.versions.node + '.\n');
  process.exitCode = 1;
}
