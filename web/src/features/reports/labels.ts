import type { Kit } from '../../api/shapes.ts'
import { labelOf, type StatusLabel } from '../../components/status-label.ts'

const reportStatuses: Record<Kit['status'], StatusLabel> = {
  notStarted: { label: 'No report yet', tone: 'idle' },
  inReview: { label: 'In review', tone: 'fair' },
  published: { label: 'Published', tone: 'good' },
  rejected: { label: 'Rejected', tone: 'bad' },
}

export const reportLabel = (status: string): StatusLabel => labelOf(reportStatuses, status)
