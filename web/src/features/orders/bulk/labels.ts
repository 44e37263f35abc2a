import type { BulkJob } from '../../../api/shapes.ts'
import { optionsOf, type StatusLabel } from '../../../components/status-label.ts'
import { t } from '../../../language/t.ts'

const jobs: Record<BulkJob['status'], StatusLabel> = {
  queued: { label: t('Waiting'), tone: 'idle' },
  processing: { label: t('Running'), tone: 'info' },
  completed: { label: t('Done'), tone: 'good' },
  canceled: { label: t('Canceled'), tone: 'idle' },
  failed: { label: t('Failed'), tone: 'bad' },
}

const rows: Record<BulkJob['rows'][number]['status'], StatusLabel> = {
  pending: { label: t('Waiting'), tone: 'idle' },
  created: { label: t('Ordered'), tone: 'good' },
  failed: { label: t('Failed'), tone: 'bad' },
}

export const jobLabel = (status: BulkJob['status']) => jobs[status]
const unpaid: StatusLabel = { label: t('Not paid'), tone: 'fair' }

export const rowLabel = ({ status, pending }: BulkJob['rows'][number]) => (pending ? unpaid : rows[status])
export const rowOptions = optionsOf(rows)
export const isRunning = ({ status }: Pick<BulkJob, 'status'>) => status === 'queued' || status === 'processing'
