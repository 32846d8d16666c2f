import { part } from './part.js';

/** A message of `/live/stream`. */
interface Message {
  readonly id: string;
  readonly number: number;
  readonly word: string;
  readonly type: string;
  readonly about: string;
  readonly at: string;
  readonly time: string;
  readonly late: boolean;
}

/** Adds each message to the list as it arrives. The server words the messages. */
export class LivePage {
  constructor(private readonly root: HTMLElement) {}

  run(): void {
    const stream = new EventSource(`/live/stream?after=${this.root.dataset['live'] ?? '0'}`);
    stream.addEventListener('open', () => this.connected(true));
    // The browser reconnects by itself.
    stream.addEventListener('error', () => this.connected(false));
    stream.addEventListener('message', ({ data }) => this.show(JSON.parse(String(data)) as Message));
  }

  private connected(yes: boolean): void {
    part(this.root, '[data-listening]').hidden = !yes;
    part(this.root, '[data-offline]').hidden = yes;
  }

  private show(message: Message): void {
    const list = part(this.root, '[data-messages]');
    if (list.querySelector(`[data-id="${CSS.escape(message.id)}"]`)) return;
    list.prepend(this.rowOf(message));
    while (list.children.length > Number(this.root.dataset['most'])) list.lastElementChild?.remove();
    part(this.root, '[data-empty]').hidden = true;
    part(this.root, '[data-announcer]').textContent = `${message.word}: ${message.about}`;
  }

  private rowOf({ id, word, type, about, at, time, late }: Message): HTMLElement {
    const template = part<HTMLTemplateElement>(this.root, '[data-row]');
    const row = template.content.firstElementChild?.cloneNode(true) as HTMLElement;
    Object.assign(row.dataset, { id, type });
    part(row, '[data-word]').textContent = word;
    part(row, '[data-about]').textContent = about;
    part(row, '[data-kind]').textContent = type;
    const when = part<HTMLTimeElement>(row, '[data-time]');
    when.dateTime = at;
    when.textContent = time;
    part(row, '[data-late]').hidden = !late;
    row.classList.add('new');
    return row;
  }
}
