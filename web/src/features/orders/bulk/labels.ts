import type { BulkJob } from '../../../api/shapes.ts'
import type { Tone } from '../../../components/status-dot.tsx'

const jobs: Record<BulkJob['status'], { label: string; tone: Tone }> = {
  queued: { label: 'Waiting', tone: 'idle' },
  processing: { label: 'Running', tone: 'info' },
  completed: { label: 'Done', tone: 'good' },
  canceled: { label: 'Canceled', tone: 'idle' },
  failed: { label: 'Failed', tone: 'bad' },
}

const rows: Record<BulkJob['rows'][number]['status'], { label: string; tone: Tone }> = {
  pending: { label: 'Waiting', tone: 'idle' },
  created: { label: 'Ordered', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
}

export const jobWord = (status: BulkJob['status']) => jobs[status]
export const rowWord = (status: BulkJob['rows'][number]['status']) => rows[status]
export const rowOptions = Object.entries(rows).map(([value, { label }]) => ({ value, label }))
export const isRunning = ({ status }: Pick<BulkJob, 'status'>) => status === 'queued' || status === 'processing'
