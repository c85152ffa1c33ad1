/** Sounds made on the spot, of noise and tones. */

let noise: AudioBuffer | null = null

/** A knock: a burst of noise through a narrow band, as wood on wood. */
function knock(audio: AudioContext, at: number, pitch: number, volume: number, length = 0.05): void {
  noise ??= whiteNoise(audio)
  const source = new AudioBufferSourceNode(audio, { buffer: noise })
  const band = new BiquadFilterNode(audio, { type: 'bandpass', frequency: pitch, Q: 3 })
  source.connect(band).connect(fading(audio, at, volume, length))
  source.start(at, Math.random() * 0.5, length + 0.05)
}

function tone(audio: AudioContext, at: number, pitch: number, volume: number, length: number, slideTo = pitch, type: OscillatorType = 'sine'): void {
  const source = new OscillatorNode(audio, { type, frequency: pitch })
  source.frequency.exponentialRampToValueAtTime(slideTo, at + length)
  source.connect(fading(audio, at, volume, length))
  source.start(at)
  source.stop(at + length + 0.05)
}

function fading(audio: AudioContext, at: number, volume: number, length: number): GainNode {
  const gain = new GainNode(audio, { gain: 0 })
  gain.gain.setValueAtTime(volume, at)
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length)
  gain.connect(audio.destination)
  return gain
}

function whiteNoise(audio: AudioContext): AudioBuffer {
  const buffer = new AudioBuffer({ length: audio.sampleRate, sampleRate: audio.sampleRate })
  const samples = buffer.getChannelData(0)
  for (let n = 0; n < samples.length; n++) samples[n] = 2 * Math.random() - 1
  return buffer
}

const chord = (audio: AudioContext, at: number, pitches: number[], gap: number, volume: number, length: number): void =>
  pitches.forEach((pitch, n) => tone(audio, at + n * gap, pitch, volume, length))

/** Steps of a scale in which any two sound well together. */
const SCALE = [523, 587, 659, 784, 880, 1047, 1175]
const times = (size: number, gap: number, make: (wait: number) => void): void => Array.from({ length: size }, (_, n) => n * gap).forEach(make)

const SOUNDS: Record<string, (audio: AudioContext, at: number, size: number) => void> = {
  roll: (audio, at) => [0, 0.05, 0.09, 0.15, 0.22].forEach((wait, n) => knock(audio, at + wait, 1500 + 500 * Math.random(), 0.5 - 0.07 * n)),
  select: (audio, at) => knock(audio, at, 2400, 0.15, 0.02),
  place: (audio, at) => knock(audio, at, 900, 0.9, 0.07),
  set: (audio, at, size) => chord(audio, at + 0.06, SCALE.slice(2, 3 + size), 0.07, 0.08 + 0.03 * size, 0.2 + 0.1 * size),
  shut: (audio, at, size) => times(size, 0.06, (wait) => (knock(audio, at + wait, 600, 1, 0.09), knock(audio, at + wait + 0.03, 300, 0.7, 0.12))),
  destroy: (audio, at, size) => times(2 + size, 0.045, (wait) => knock(audio, at + wait, 360 - 900 * wait, 0.9, 0.12 + 0.03 * size)),
  bank: (audio, at, size) => chord(audio, at, SCALE.slice(0, 1 + size), 0.065, 0.14, 0.25 + 0.05 * size),
  hot: (audio, at) => chord(audio, at, [523, 659, 784, 1047], 0.06, 0.14, 0.25),
  farkle: (audio, at, size) => (tone(audio, at, 220, 0.2 + 0.02 * size, 0.4 + 0.12 * size, 55, 'sawtooth'), knock(audio, at, 140, 1, 0.35)),
  'box-shut': (audio, at) => chord(audio, at, [392, 523, 659, 784, 1047], 0.09, 0.16, 0.5),
  win: (audio, at) => chord(audio, at, [523, 659, 784, 1047], 0.11, 0.16, 0.5),
  lose: (audio, at) => chord(audio, at, [392, 330], 0.16, 0.12, 0.4),
  no: (audio, at) => tone(audio, at, 150, 0.16, 0.12, 120, 'triangle'),
}

export const play = (audio: AudioContext, cue: string, size: number): void => SOUNDS[cue]?.(audio, audio.currentTime, size)
