import type { BulkJob } from '../../../api/shapes.ts'
import { optionsOf, type StatusLabel } from '../../../components/status-label.ts'

const jobs: Record<BulkJob['status'], StatusLabel> = {
  queued: { label: 'Waiting', tone: 'idle' },
  processing: { label: 'Running', tone: 'info' },
  completed: { label: 'Done', tone: 'good' },
  canceled: { label: 'Canceled', tone: 'idle' },
  failed: { label: 'Failed', tone: 'bad' },
}

const rows: Record<BulkJob['rows'][number]['status'], StatusLabel> = {
  pending: { label: 'Waiting', tone: 'idle' },
  created: { label: 'Ordered', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
}

export const jobLabel = (status: BulkJob['status']) => jobs[status]
export const rowLabel = (status: BulkJob['rows'][number]['status']) => rows[status]
export const rowOptions = optionsOf(rows)
export const isRunning = ({ status }: Pick<BulkJob, 'status'>) => status === 'queued' || status === 'processing'
