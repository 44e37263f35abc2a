import type { Upload } from '../../../api/shapes.ts'
import type { StatusLabel } from '../../../components/status-label.ts'
import { t } from '../../../language/t.ts'

const states: Record<Upload['state'], StatusLabel> = {
  reading: { label: t('Being read'), tone: 'info' },
  waiting: { label: t('To review'), tone: 'fair' },
  confirmed: { label: t('Confirmed'), tone: 'good' },
  dismissed: { label: t('Dismissed'), tone: 'idle' },
}

const needs: Record<Upload['needsReview'], string> = {
  scan: t('A scan'),
  image: t('A photo'),
  layout: t('An unusual layout'),
  person: t('Another person’s name'),
  date: t('The day of collection'),
  unmatched: t('Nothing could be matched'),
}

export const uploadLabel = (state: Upload['state']) => states[state]
export const needText = (need: Upload['needsReview']) => needs[need]
