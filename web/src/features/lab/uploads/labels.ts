import type { Upload } from '../../../api/shapes.ts'
import type { Tone } from '../../../components/status-dot.tsx'

const states: Record<Upload['state'], { label: string; tone: Tone }> = {
  reading: { label: 'Being read', tone: 'info' },
  waiting: { label: 'To review', tone: 'fair' },
  confirmed: { label: 'Confirmed', tone: 'good' },
  dismissed: { label: 'Dismissed', tone: 'idle' },
}

const needs: Record<Upload['needsReview'], string> = {
  scan: 'A scan',
  image: 'A photo',
  layout: 'An unusual layout',
  person: 'Another person’s name',
  unmatched: 'Nothing could be matched',
}

export const uploadWord = (state: Upload['state']) => states[state]
export const needText = (need: Upload['needsReview']) => needs[need]
