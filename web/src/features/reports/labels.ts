import type { Kit } from '../../api/shapes.ts'
import { labelOf, type StatusLabel } from '../../components/status-label.ts'
import { t } from '../../language/t.ts'

const reportStatuses: Record<Kit['status'], StatusLabel> = {
  notStarted: { label: t('No report yet'), tone: 'idle' },
  inReview: { label: t('In review'), tone: 'fair' },
  published: { label: t('Published'), tone: 'good' },
  rejected: { label: t('Rejected'), tone: 'bad' },
}

export const reportLabel = (status: string): StatusLabel => labelOf(reportStatuses, status)
