import { attachBlob, AttachRefused, readEvidence } from '#clients/relying-party/browser';

import { showEvidence } from './evidence.js';
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
    if (file) return this.complete(file);
    this.ask();
    // The container's evidence can be shown before the document is chosen again. A failure is reported after that choice.
    await this.fetched().catch(() => undefined);
  }

  private async complete(file: File): Promise<void> {
    const problem = part(this.scene, '[data-problem]');
    problem.hidden = true;
    try {
      await hashFile(file);
      this.handOver(await attachBlob(await this.fetched(), file));
    } catch (error) {
      problem.textContent = wordsFor(error);
      problem.hidden = false;
      this.ask();
    }
  }

  /** The container, fetched once. The page then shows who signed and when. */
  private async fetched(): Promise<Blob> {
    if (this.container) return this.container;
    const container = await fetchContainer();
    const evidence = await readEvidence(container);
    if (evidence) showEvidence(this.scene, evidence);
    return (this.container = container);
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
