/** The interval between two pictures that are searched for a code. */
const EVERY_MS = 120;
/** Large enough for our codes, small enough to read in time. */
const LONGEST_SIDE = 900;

/** Rejects, or answers undefined, when there is no code in the picture. */
type Reader = (picture: HTMLCanvasElement) => Promise<string | undefined>;

interface BarcodeDetectorClass {
  new (options: { formats: readonly string[] }): { detect(picture: CanvasImageSource): Promise<readonly { rawValue: string }[]> };
  getSupportedFormats(): Promise<readonly string[]>;
}

/**
 * Shows the back camera in the video and calls back with each QR code it sees. Resolves to a function that switches it off;
 * rejects when there is no camera or it was not allowed.
 */
export const openCamera = async (video: HTMLVideoElement, onText: (text: string) => void): Promise<() => void> => {
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } },
  });
  video.muted = true;
  video.srcObject = stream;
  // Refused only when the screen was left meanwhile; then there is nothing to show.
  void video.play().catch(() => undefined);
  let open = true;
  const stop = (): void => {
    open = false;
    for (const track of stream.getTracks()) track.stop();
    video.srcObject = null;
  };
  const read = await reader();
  const canvas = document.createElement('canvas');
  const look = async (): Promise<void> => {
    while (open) {
      if (draw(video, canvas)) {
        const text = await read(canvas).catch(() => undefined);
        if (open && text !== undefined) onText(text);
      }
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
  };
  void look();
  return stop;
};

/** The browser's own reader if it has one; otherwise ours, loaded on demand. */
const reader = async (): Promise<Reader> => {
  const Detector = (globalThis as { BarcodeDetector?: BarcodeDetectorClass }).BarcodeDetector;
  const formats = await Detector?.getSupportedFormats().catch((): readonly string[] => []);
  if (Detector !== undefined && formats?.includes('qr_code') === true) {
    const detector = new Detector({ formats: ['qr_code'] });
    return async (picture) => (await detector.detect(picture))[0]?.rawValue;
  }
  const { default: decodeQR } = await import('qr/decode.js');
  return async (picture) => {
    const pixels = picture.getContext('2d', { willReadFrequently: true })?.getImageData(0, 0, picture.width, picture.height);
    return pixels && decodeQR(pixels);
  };
};

const draw = (video: HTMLVideoElement, canvas: HTMLCanvasElement): boolean => {
  if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA || video.videoWidth === 0) return false;
  const scale = Math.min(1, LONGEST_SIDE / Math.max(video.videoWidth, video.videoHeight));
  canvas.width = Math.round(video.videoWidth * scale);
  canvas.height = Math.round(video.videoHeight * scale);
  canvas.getContext('2d', { willReadFrequently: true })?.drawImage(video, 0, 0, canvas.width, canvas.height);
  return true;
};
