import type { Tone } from '../../components/status-label.ts'
import { t } from '../../language/t.ts'

// About as long as an order takes from the box to its report: the card must still pay for the next one then.
const SOON_DAYS = 60
const DAY_MS = 24 * 3600 * 1000

interface Expiry {
  /** Undefined while nothing has to be done. */
  tone: Tone | undefined
  /** "Expires 11/2026", with what follows from it. */
  words: string
}

/** Until when a card can be charged: it is good to the last day of its month. */
export function expiryOf({ expMonth, expYear }: { expMonth: number; expYear: number }, now = new Date()): Expiry {
  const month = `${String(expMonth).padStart(2, '0')}/${expYear}`
  const daysLeft = (Date.UTC(expYear, expMonth, 1) - now.getTime()) / DAY_MS
  if (daysLeft <= 0)
    return { tone: 'bad', words: t('Expired {month}. Orders with it are declined: add another card.', { month }) }
  if (daysLeft <= SOON_DAYS) return { tone: 'fair', words: t('Expires {month}. Add its successor before.', { month }) }
  return { tone: undefined, words: t('Expires {month}', { month }) }
}
