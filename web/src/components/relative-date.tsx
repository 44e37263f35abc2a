import { Tooltip } from '@mantine/core'
import { locale, t } from '../language/t.ts'

const relative = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' })
const exact = new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' })
const toTheSecond = new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'medium' })
const day = new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeZone: 'UTC' })

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

// Beyond a month "43 days ago" says less than the date.
const RELATIVE_UP_TO_S = 30 * 86_400

/** "3 hours ago", with the exact time on hover; a date without a time is shown as the day it is. */
export function RelativeDate({ value }: { value: string | undefined }) {
  if (value === undefined) return <>–</>
  if (value.length === 10) return <time dateTime={value}>{dayOf(value)}</time>
  return (
    <Tooltip label={exact.format(new Date(value))}>
      <time dateTime={value} style={{ whiteSpace: 'nowrap' }}>
        {relativeTo(value, Date.now())}
      </time>
    </Tooltip>
  )
}

function relativeTo(value: string, now: number): string {
  const seconds = (Date.parse(value) - now) / 1000
  if (Math.abs(seconds) > RELATIVE_UP_TO_S) return dayOf(value)
  const unit = UNITS.find(([, length]) => Math.abs(seconds) >= length)
  return unit === undefined ? t('just now') : relative.format(Math.round(seconds / unit[1]), unit[0])
}

/** "Mar 4, 2026": of a date, or of a timestamp in UTC. */
export function dayOf(value: string): string {
  return day.format(new Date(value))
}

/** For what follows quickly: to the second. */
export function ExactTime({ value }: { value: string }) {
  return (
    <time dateTime={value} style={{ whiteSpace: 'nowrap' }}>
      {toTheSecond.format(new Date(value))}
    </time>
  )
}

/** For logs: the time itself. */
export function ExactDate({ value }: { value: string }) {
  return (
    <time dateTime={value} style={{ whiteSpace: 'nowrap' }}>
      {exactOf(value)}
    </time>
  )
}

export function exactOf(value: string): string {
  return exact.format(new Date(value))
}
