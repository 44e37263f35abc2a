import { locale, t } from '../../language/t.ts'

/** When a job runs, from its cron expression (UTC): "Every minute", "Each day at 03:41 UTC". Any other stands as it is. */
export function scheduleText(cron: string | undefined): string {
  if (!cron) return t('When there is work')
  const known = /^(?:(\*)|(\d+)|(?:\*|\d+-59)\/(\d+)) (\*|\d+) \* \* \*$/.exec(cron)
  if (!known) return cron
  const [, always, minute, every, hour] = known
  if (hour === '*') {
    if (always) return t('Every minute')
    return every
      ? t('Every {count} minutes', { count: Number(every) })
      : t('Each hour, {count} minutes past', { count: Number(minute) })
  }
  if (!minute) return cron
  const time = new Date(Date.UTC(2026, 0, 1, Number(hour), Number(minute)))
  return t('Each day at {time}', {
    time: time.toLocaleTimeString(locale(), {
      hour: '2-digit',
      minute: '2-digit',
      timeZone: 'UTC',
      timeZoneName: 'short',
    }),
  })
}
