import type { StatusLabel } from '../../components/status-label.ts'
import { t } from '../../language/t.ts'

/** The status of an answer, by what it means for the caller. */
export function answerLabel(status: number): StatusLabel {
  if (status >= 500) return { label: String(status), tone: 'bad' }
  return { label: String(status), tone: status >= 400 ? 'fair' : 'good' }
}

export const statusOptions = [
  { value: '2xx', label: t('2xx, done') },
  { value: '4xx', label: t('4xx, refused') },
  { value: '5xx', label: t('5xx, failed') },
]

export const methodOptions = ['GET', 'POST', 'PATCH', 'DELETE'].map((value) => ({ value, label: value }))

/** What somebody typed into the search, as the filter that it is. */
export function searched(text: string | undefined): { requestID?: string; code?: string; path?: string } {
  if (!text) return {}
  if (/^[A-Z][A-Z_]+$/.test(text)) return { code: text }
  return text.startsWith('/') ? { path: text } : { requestID: text }
}

/** Where an error code is explained. */
export const errorPage = (code: string): string => `/docs/errors#${code.toLowerCase()}`
