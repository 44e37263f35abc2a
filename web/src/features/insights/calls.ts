import type { components } from '@kitlane/client'
import { t } from '../../language/t.ts'
import type { Waiting } from './stations.ts'

type Critical = components['schemas']['OperatorCriticalResult']

// As many calls as lines of their own: the page of critical results has the others.
export const CALLS = 5

/** "Call Dr. Ito: potassium 7.9": one line for each open critical result, those that wait longest first. */
export const callsOf = (results: readonly Critical[], now = Date.now()): Waiting[] =>
  results.slice(0, CALLS).map(({ id, reportID, name, value, unit, notified, business, deadlineDate }) => {
    const what = [name, value, unit].filter(Boolean).join(' ')
    return {
      key: id,
      path: reportID ? `critical?reportID=${encodeURIComponent(reportID)}` : 'critical',
      tone: 'bad',
      words: t('Call {who}: {what}', { who: notified.at(-1)?.person ?? business.name, what }),
      ...(Date.parse(deadlineDate) < now && { age: t('overdue') }),
      isLate: Date.parse(deadlineDate) < now,
    }
  })
