import { el } from '#web-page/browser';
import { button, type Screen, title } from './screen.js';

/** Shows the camera's picture until it contains one of our codes. */
export const cameraScreen = (screen: Screen, onCancel: () => void): readonly Node[] => {
  const { texts, phone } = screen;
  const video = el('video', { playsinline: true, muted: true, autoplay: true, 'aria-label': texts.cameraTitle });
  const hint = el('p', { class: 'detail', role: 'status', 'data-testid': 'camera-hint' });
  let last = '';
  const onText = async (text: string): Promise<void> => {
    if (text === last) return;
    last = text;
    if (!(await phone.takeText(text, { byCamera: true }))) hint.textContent = texts.unreadable;
  };
  // A phone can be set up without it.
  const camera = import('./camera.js').then(({ openCamera }) => openCamera(video, (text) => void onText(text)));
  camera.catch(() => {
    frame.hidden = true;
    hint.textContent = texts.cameraRefused;
  });
  screen.onLeave(
    () =>
      void camera.then(
        (stop) => stop(),
        () => undefined,
      ),
  );
  const frame = el('div', { class: 'viewfinder' }, video);
  return [title(texts.cameraTitle), frame, hint, button(texts.cancel, 'cancel', onCancel, 'secondary')];
};
