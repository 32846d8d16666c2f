// How a page or an app calls the service: it reads an answer within its time, a scan link and the service's clock. The package for app makers holds these files as well.
export { readReply, type Reply, textsIn } from './reply.js';
export { readScanUri, type ScanLink, scanUri, webPhoneLink } from './scan-uri.js';
export { ServerClock } from './server-clock.js';
export { withTimeLimit } from './time-limit.js';
