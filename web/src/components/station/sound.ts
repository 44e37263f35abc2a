export type Sound = 'right' | 'done' | 'caution' | 'wrong'

interface Tone {
  /** Hertz. */
  pitch: number
  /** Seconds from now. */
  from: number
  seconds: number
  shape: OscillatorType
}

// Distinct without looking, even with poor hearing of high tones: rising is good, falling is a warning, low and rough is wrong.
const sounds: Record<Sound, Tone[]> = {
  right: [{ pitch: 880, from: 0, seconds: 0.09, shape: 'sine' }],
  done: [
    { pitch: 880, from: 0, seconds: 0.09, shape: 'sine' },
    { pitch: 1320, from: 0.1, seconds: 0.16, shape: 'sine' },
  ],
  caution: [
    { pitch: 880, from: 0, seconds: 0.09, shape: 'sine' },
    { pitch: 440, from: 0.1, seconds: 0.3, shape: 'sine' },
  ],
  wrong: [
    { pitch: 180, from: 0, seconds: 0.18, shape: 'square' },
    { pitch: 140, from: 0.22, seconds: 0.28, shape: 'square' },
  ],
}

const VOLUME = 0.15
let context: AudioContext | undefined

/** Plays at once. Browsers allow sound after the first key on the page, which a scan is. */
export function play(sound: Sound): void {
  context ??= new AudioContext()
  for (const { pitch, from, seconds, shape } of sounds[sound]) {
    const start = context.currentTime + from
    const tone = new OscillatorNode(context, { type: shape, frequency: pitch })
    const volume = new GainNode(context, { gain: VOLUME })
    // A tone that stops abruptly clicks, so it fades out.
    volume.gain.setTargetAtTime(0, start + seconds * 0.7, seconds * 0.1)
    tone.connect(volume).connect(context.destination)
    tone.start(start)
    tone.stop(start + seconds)
  }
}
