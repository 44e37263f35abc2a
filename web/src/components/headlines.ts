import { locale, t } from '../language/t.ts'

const ERASED = t('a person who was erased')

interface KitPerson {
  /** Of the person who registered the kit. */
  registeredName?: string | undefined
  /** Of whom the order was sent to. */
  recipientName?: string | undefined
  email?: string | undefined
  panel: string
}

/** "Maya Lindqvist · Core Health": the person tested, else the recipient, else an e-mail address. */
export function kitHeadline({ registeredName, recipientName, email, panel }: KitPerson): string {
  return `${registeredName || recipientName || email || t('Kit for a person who was erased')} · ${panel}`
}

interface OrderedKits {
  quantity: number
  recipientName?: string | undefined
  recipientEmail?: string | undefined
  recipientAddress?: { city: string; state: string } | undefined
}

/** "3 kits to Jonas Weber, Burlington VT". */
export function orderHeadline({ quantity, recipientName, recipientEmail, recipientAddress }: OrderedKits): string {
  const place = recipientAddress ? `, ${recipientAddress.city} ${recipientAddress.state}`.trimEnd() : ''
  const name = recipientName || recipientEmail || ERASED
  return t('{count, plural, one {# kit} other {# kits}} to {name}{place}', { count: quantity, name, place })
}

/** "Every 3 months to Jonas Weber". */
export const planHeadline = (
  { recipientName, recipientEmail }: Pick<OrderedKits, 'recipientName' | 'recipientEmail'>,
  every: string,
): string => t('{every} to {name}', { every, name: recipientName || recipientEmail || ERASED })

/** "Maya’s results of 20 November": by the day of the sample, else of the result. */
export function reportHeadline(name: string | undefined, date: string | undefined, now = new Date()): string {
  const [first] = name?.trim().split(/\s+/) ?? []
  if (date === undefined) return first ? t('{first}’s results', { first }) : t('Results')
  const day = dayInWords(date, now)
  return first ? t('{first}’s results of {day}', { first, day }) : t('Results of {day}', { day })
}

/** "24 people, 20 November": what a bulk order was for. */
export function bulkHeadline(job: { total: number; createdDate: string }, now = new Date()): string {
  return t('{count, plural, one {# person} other {# people}}, {day}', {
    count: job.total,
    day: dayInWords(job.createdDate, now),
  })
}

/** The name of a webhook endpoint: its note, else its host. */
export function endpointHeadline({ url, description }: { url: string; description?: string | undefined }): string {
  return description || new URL(url).host
}

/** "20 November", with the year unless it is this one: of a date, or of a timestamp in UTC. */
export function dayInWords(value: string, now = new Date()): string {
  const date = new Date(value)
  const isThisYear = date.getUTCFullYear() === now.getUTCFullYear()
  return (isThisYear ? ofThisYear : ofAnyYear).format(date)
}

// In English the day comes first, as people say it.
const tag = locale() === 'en' ? 'en-GB' : locale()
const ofThisYear = new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'long', timeZone: 'UTC' })
const ofAnyYear = new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
