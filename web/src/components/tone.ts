export type Tone = 'good' | 'info' | 'fair' | 'bad' | 'idle'
