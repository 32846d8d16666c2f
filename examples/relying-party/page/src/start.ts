import { LivePage } from './live-page.js';
import { signForm } from './sign-form.js';
import { SignedScene } from './signed-scene.js';
import { WaitingPage } from './waiting-page.js';

const find = <Kind extends HTMLElement>(selector: string): Kind | undefined => document.querySelector<Kind>(selector) ?? undefined;

const waitForLogin = (root: HTMLElement): Promise<void> =>
  new WaitingPage(root, (scene) => {
    if (scene === 'APPROVED') find<HTMLFormElement>('[data-complete]')?.requestSubmit();
    if (scene === 'DONE') location.replace('/account');
  }).run();

const waitForSignature = (root: HTMLElement, file?: File): Promise<void> =>
  new WaitingPage(root, (scene) => {
    if (scene === 'SIGNED') void new SignedScene(root).show(file);
  }).run();

const login = find('[data-testid="waiting"]');
if (login) void waitForLogin(login);

const signing = find('[data-testid="signing"]');
if (signing) void waitForSignature(signing);

const live = find('[data-live]');
if (live) new LivePage(live).run();

const form = find<HTMLFormElement>('[data-sign]');
if (form) {
  // The page after the form has no address of its own, so the browser's back button cannot leave it.
  addEventListener('popstate', () => location.reload());
  void signForm(form).then((file) => {
    const begun = find('[data-testid="signing"]');
    if (begun) void waitForSignature(begun, file);
  });
}

// Last, so that the sentence stays when something above has failed. The style shows it after a while.
find('[data-not-started]')?.remove();
