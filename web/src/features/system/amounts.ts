import { locale, t } from '../../language/t.ts'

const MIB = 1024 * 1024
const HOUR_S = 3600
const DAY_S = 24 * HOUR_S

export function bytesText(bytes: number): string {
  const [value, unit] = bytes >= 1024 * MIB ? [bytes / (1024 * MIB), 'GB'] : [bytes / MIB, 'MB']
  return `${value.toLocaleString(locale(), { maximumFractionDigits: 1 })} ${unit}`
}

/** "3 days", "2 hours", "5 minutes". */
export function durationText(seconds: number): string {
  const whole = (length: number) => Math.floor(seconds / length)
  if (seconds >= DAY_S) return t('{days, plural, one {# day} other {# days}}', { days: whole(DAY_S) })
  if (seconds >= HOUR_S) return t('{hours, plural, one {# hour} other {# hours}}', { hours: whole(HOUR_S) })
  if (seconds >= 60) return t('{minutes, plural, one {# minute} other {# minutes}}', { minutes: whole(60) })
  return t('{seconds, plural, one {# second} other {# seconds}}', { seconds: whole(1) })
}
