import { WaitingPage } from './waiting-page.js';

const root = document.querySelector<HTMLElement>('[data-testid="waiting"]');
if (root) void new WaitingPage(root).run();
