import type { Upload } from '../../../api/shapes.ts'
import type { StatusLabel } from '../../../components/status-label.ts'

const states: Record<Upload['state'], StatusLabel> = {
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

export const uploadLabel = (state: Upload['state']) => states[state]
export const needText = (need: Upload['needsReview']) => needs[need]
