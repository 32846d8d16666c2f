import { attachBlob, AttachRefused } from '#relying-party-client/browser';

import { hashFile } from './hash-file.js';
import { part } from './part.js';
import { words } from './words.js';

/** After the signature: fetches the container, puts the document into it in the browser, and offers the download. */
export class SignedScene {
  private container: Blob | undefined;

  constructor(private readonly root: HTMLElement) {}

  /** A reload loses the document; then the user is asked for it. */
  async show(file: File | undefined): Promise<void> {
    part<HTMLInputElement>(this.scene, '[data-file]').addEventListener('change', ({ target }) => {
      const [again] = (target as HTMLInputElement).files ?? [];
      if (again) void this.complete(again);
    });
    void this.nameSigner();
    if (file) await this.complete(file);
    else this.ask();
  }

  private async complete(file: File): Promise<void> {
    const problem = part(this.scene, '[data-problem]');
    problem.hidden = true;
    try {
      await hashFile(file);
      this.container ??= await fetchContainer();
      this.handOver(await attachBlob(this.container, file));
    } catch (error) {
      problem.textContent = wordsFor(error);
      problem.hidden = false;
      this.ask();
    }
  }

  /** Who signed and when, as the service says. Without an answer the page says nothing of it. */
  private async nameSigner(): Promise<void> {
    const response = await fetch('/signing/signature', { cache: 'no-store' }).catch(() => undefined);
    if (response?.ok !== true) return;
    const { signer, signedAt } = (await response.json()) as { readonly signer: string; readonly signedAt: string };
    part(this.scene, '[data-signer]').textContent = signer;
    const time = part<HTMLTimeElement>(this.scene, '[data-signed-at]');
    time.dateTime = signedAt;
    time.textContent = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'long', timeStyle: 'long' }).format(new Date(signedAt));
    for (const row of this.scene.querySelectorAll<HTMLElement>('[data-signature]')) row.hidden = false;
  }

  private ask(): void {
    part(this.scene, '[data-progress]').hidden = true;
    part(this.scene, '[data-file-again]').hidden = false;
  }

  private handOver(complete: Blob): void {
    const link = part<HTMLAnchorElement>(this.scene, '[data-download]');
    link.href = URL.createObjectURL(complete);
    link.download = `${this.root.dataset['name'] ?? 'document'}.asice`;
    part(this.scene, '[data-file-again]').hidden = true;
    part(this.scene, '[data-ready]').hidden = false;
    const progress = part(this.scene, '[data-progress]');
    progress.hidden = false;
    progress.textContent = words().ready;
    link.click();
  }

  private get scene(): HTMLElement {
    return part(this.root, '[data-scene="SIGNED"]');
  }
}

const fetchContainer = async (): Promise<Blob> => {
  const response = await fetch('/signing/container', { cache: 'no-store' }).catch(() => undefined);
  if (response?.ok) return response.blob();
  throw new Error(response?.status === 404 ? words().notKept : words().notFetched);
};

const wordsFor = (error: unknown): string => {
  if (error instanceof AttachRefused) return words().otherDocument;
  return error instanceof Error ? error.message : String(error);
};
