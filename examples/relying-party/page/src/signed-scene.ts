import { attachBlob, AttachRefused } from '#relying-party-client/browser';

import { hashFile } from './hash-file.js';
import { part } from './part.js';

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
    progress.textContent = 'Your document and its signature are in one file.';
    link.click();
  }

  private get scene(): HTMLElement {
    return part(this.root, '[data-scene="SIGNED"]');
  }
}

const fetchContainer = async (): Promise<Blob> => {
  const response = await fetch('/signing/container', { cache: 'no-store' }).catch(() => undefined);
  if (response?.ok) return response.blob();
  throw new Error(
    response?.status === 404
      ? 'The signature is not kept any more. Please sign again.'
      : 'The signature could not be fetched. Choose the document once more to try again.',
  );
};

const wordsFor = (error: unknown): string => {
  if (error instanceof AttachRefused) return 'This is not the document that was signed, to the last byte. Choose that one.';
  return error instanceof Error ? error.message : String(error);
};
